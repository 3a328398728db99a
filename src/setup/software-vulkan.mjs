import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { fromRoot } from './paths.mjs';
import { runCommand } from './run-command.mjs';
import { sha256Of } from './sha256.mjs';
import { TEST_CACHE } from './test-voice.mjs';

/**
 * SwiftShader (Apache-2.0), a Vulkan driver that computes on the CPU, with Vulkan's loader: a part of an npm package
 * that holds a browser. Debian's own software driver, Mesa 22.3, lacks what WebGPU asks of a driver.
 */
const PACKAGE = '@sparticuz/chromium@153.0.0';
const ARCHIVE = 'package/bin/swiftshader.tar.br';
const FILES = {
  'libvk_swiftshader.so': '2f3ceffaaca7d031bc3943f8eacf398a5d9c42c5fe0d15d8840b9acfa630b58e',
  'libvulkan.so.1': '8ee5ac00fd7968e863b05e0f6808057db16a00ad322777e5a05bed51d4f84085',
  'vk_swiftshader_icd.json': 'c9eef28b6b984fec220ef0abfecc40b502d46946706e47bfe97707027cb818bd',
};
const FOLDER = join(TEST_CACHE, 'swiftshader');

/**
 * Puts the driver into the tests' cache, each file by hash, and nowhere into the system. Where it can't be had this
 * says why and returns: the tests of WebGPU then skip.
 */
export async function bringSoftwareVulkan() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || (await isComplete(FOLDER))) return;
  console.error(`set-up: a software Vulkan driver for the tests of WebGPU, out of ${PACKAGE} (70 MB) …`);
  const scratch = await mkdtemp(join(tmpdir(), 'lantang-vulkan-'));
  try {
    await runCommand(fromRoot('build/setup/software-vulkan.log'), [
      ...['npm', 'pack', '--silent', '--pack-destination', scratch, PACKAGE],
    ]);
    await unpack(scratch);
  } catch (error) {
    console.error(`set-up: the tests of WebGPU will skip: ${error.message}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function isComplete(folder) {
  const matches = Object.entries(FILES).map(async ([name, expected]) => {
    return (await sha256Of(join(folder, name)).catch(() => '')) === expected;
  });
  return (await Promise.all(matches)).every(Boolean);
}

/** The package is a tar.gz, in which the driver is a tar.br. */
async function unpack(scratch) {
  const [packed] = (await readdir(scratch)).filter((name) => name.endsWith('.tgz'));
  const compressed = execFileSync('tar', ['-xzOf', join(scratch, packed), ARCHIVE], { maxBuffer: 1 << 26 });
  const [archive, files] = [join(scratch, 'files.tar'), join(scratch, 'files')];
  await writeFile(archive, brotliDecompressSync(compressed));
  await mkdir(files);
  execFileSync('tar', ['-xf', archive, '-C', files, '--no-same-owner', ...Object.keys(FILES)]);
  if (!(await isComplete(files))) throw new Error(`what ${PACKAGE} holds has another SHA-256 than expected.`);
  await mkdir(FOLDER, { recursive: true });
  for (const name of Object.keys(FILES)) {
    const partial = join(FOLDER, `${name}.${process.pid}.partial`);
    await writeFile(partial, await readFile(join(files, name)));
    await rename(partial, join(FOLDER, name));
  }
}
