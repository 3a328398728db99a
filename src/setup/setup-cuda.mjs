/*
 * `npm run setup:cuda`: brings ONNX Runtime's CUDA build and the CUDA libraries that it needs into DATA_DIR/cuda, for a
 * machine that has nothing but the NVIDIA driver, and lets a voice speak on the GPU. The service finds them there.
 *
 *   --data-dir FOLDER   else LANTANG_DATA_DIR, else ./data
 *   --from FOLDER       takes the wheels from this folder instead of fetching them
 *   --fetch-to FOLDER   only fetches the wheels, for a machine that cannot
 *   --no-check          does not try the GPU: for images that are built where there is none
 */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { driverVersion, explainFailure } from './cuda-diagnosis.mjs';
import { fetchWheels, gigabytes, installFrom, installWheels, missingWheels, sizes } from './cuda-install.mjs';
import { CUDA_WHEELS, OLDEST_DRIVER } from './cuda-wheels.mjs';
import { fromRoot } from './paths.mjs';
import { runProgram, SetUpError } from './set-up-error.mjs';
import { setUp } from './set-up.mjs';
import { exclusively } from './setup-lock.mjs';

await runProgram(async () => {
  const options = readOptions();
  requirePlatform();
  if (options.fetchTo) return fetchOnly(resolve(options.fetchTo));
  const folder = join(options.dataDir, 'cuda');
  await warnAboutDriver(options);
  await exclusively(() => install(folder, options.from));
  if (options.check) {
    await setUp();
    await tryGpu(options.dataDir);
  }
});

function readOptions() {
  const { values } = parseArgs({
    options: {
      'data-dir': { type: 'string', default: process.env.LANTANG_DATA_DIR || 'data' },
      from: { type: 'string' },
      'fetch-to': { type: 'string' },
      'no-check': { type: 'boolean', default: false },
    },
  });
  return {
    dataDir: resolve(values['data-dir']),
    from: values.from && resolve(values.from),
    fetchTo: values['fetch-to'],
    check: !values['no-check'],
  };
}

function requirePlatform() {
  if (process.platform === 'linux' && process.arch === 'x64') return;
  throw new SetUpError(
    `The CUDA set-up is for Linux on x64; this is ${process.platform} on ${process.arch}. LANTANG_ONNXRUNTIME may name a CUDA build of your own.`,
  );
}

async function warnAboutDriver({ check }) {
  if (!check || (await driverVersion()) !== undefined) return;
  console.error(
    `No NVIDIA driver is loaded here: the libraries are brought all the same, but need driver ${OLDEST_DRIVER} or newer to run.`,
  );
}

async function fetchOnly(folder) {
  announce(`Fetching into ${folder}: ${gigabytes(sizes(CUDA_WHEELS).fetched)}`, CUDA_WHEELS);
  await fetchWheels(CUDA_WHEELS, folder);
}

async function install(folder, from) {
  const target = join(folder, 'lib');
  const missing = await missingWheels(CUDA_WHEELS, target);
  if (missing.length === 0) return console.error(`Every library is in ${target}, with the right SHA-256.`);
  const { fetched, unpacked } = sizes(missing);
  const source = from ? `from ${from}` : `to be fetched through pip: ${gigabytes(fetched)}`;
  announce(`Libraries for ${target}, ${source}, ${gigabytes(unpacked)} unpacked`, missing);
  if (from) await installFrom(from, missing, target);
  else await installWheels(missing, target, join(folder, 'wheels'));
}

function announce(title, wheels) {
  const lines = wheels.map(
    ({ name, version, bytes }) => `  ${name} ${version}, ${(bytes / 1e6).toFixed(1)} MB`,
  );
  console.error([`${title}:`, ...lines].join('\n'));
}

/** Nobody's LD_LIBRARY_PATH is needed: the addon opens the libraries beside the runtime by their paths. */
async function tryGpu(dataDir) {
  const check = [fromRoot('src/setup/cuda-check.mjs'), dataDir];
  const { stdout } = await promisify(execFile)(process.execPath, check, { timeout: 300_000 }).catch(
    (error) => error,
  );
  const { works, fails } = JSON.parse(stdout?.trim().split('\n').at(-1) || '{}');
  if (!works) {
    const failure = fails ?? {
      code: 'internal',
      message: 'The process that tried the GPU ended without a word.',
    };
    throw new SetUpError(
      `No voice can speak on a GPU yet. ${explainFailure(failure, await driverVersion())}`,
    );
  }
  const { version, audioSeconds, seconds } = works;
  const speed = (audioSeconds / seconds).toFixed(0);
  console.error(`ONNX Runtime ${version} speaks on the GPU, one sentence at ${speed} × real time.`);
  console.error('Nothing else is to be set: with LANTANG_DEVICES at auto or cuda:0 the service uses it.');
}
