/*
 * Puts ONNX Runtime's C headers into build/onnxruntime-include, for the addon's build. Only headers: the library
 * itself is opened at run time, and headers of 1.21 work with every newer one.
 *
 * Four places are tried in turn; the first that has them wins:
 *   1. the folder that LANTANG_ONNXRUNTIME_INCLUDE names (the offline way; if it is set, it must be right)
 *   2. an installed libonnxruntime-dev
 *   3. Debian's libonnxruntime-dev (85 kB), downloaded from the mirror that this system already uses and
 *      unpacked into the build folder; nothing is installed
 *   4. the official release archive
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const OLDEST_API = 21;
const HEADER = 'onnxruntime_c_api.h';
const CXX_HEADER = 'onnxruntime_cxx_api.h';
const SYSTEM_FOLDERS = ['/usr/include/onnxruntime', '/usr/local/include/onnxruntime'];

const DEBIAN_PACKAGE = {
  name: 'libonnxruntime-dev',
  suite: 'trixie',
  sha256: '14f7d959d5deacbcf1504830d4189f91fc67382b399ed9ae9d3aa9c4050ced08',
  include: 'usr/include/onnxruntime',
};

const RELEASE_ARCHIVE = {
  url: 'https://github.com/microsoft/onnxruntime/releases/download/v1.21.0/onnxruntime-linux-x64-1.21.0.tgz',
  sha256: '7485c7e7aac6501b27e353dcbe068e45c61ab51fbaf598d13970dfae669d20bf',
  include: 'onnxruntime-linux-x64-1.21.0/include',
};

export const DEFAULT_TARGET = fileURLToPath(new URL('../../build/onnxruntime-include', import.meta.url));

/**
 * Makes sure that `target` holds the headers. Does nothing when it does already.
 * @param {{ target?: string, folder?: string | undefined, log?: (line: string) => void }} [options]
 * @returns {Promise<string>} where they came from, for people
 */
export async function installOnnxRuntimeHeaders(options = {}) {
  const {
    target = DEFAULT_TARGET,
    folder = process.env.LANTANG_ONNXRUNTIME_INCLUDE,
    log = () => {},
  } = options;
  if (folder) return installFrom(await requireFolder(folder), target);
  if (await isUsable(target)) return 'already there';
  for (const installed of SYSTEM_FOLDERS) {
    if (await isUsable(installed)) return installFrom(installed, target);
  }
  const failures = [];
  for (const [name, download] of [
    ['Debian package', unpackDebianPackage],
    ['release archive', unpackReleaseArchive],
  ]) {
    try {
      return await inScratchFolder(async (scratch) => {
        await installFrom(await download(scratch), target);
        return name;
      });
    } catch (error) {
      failures.push(`${name}: ${firstLine(error)}`);
      log(`ONNX Runtime headers: ${failures.at(-1)}`);
    }
  }
  throw new Error(
    `No ONNX Runtime headers could be had (${failures.join('; ')}). ` +
      `Set LANTANG_ONNXRUNTIME_INCLUDE to a folder that holds ${HEADER} and ${CXX_HEADER}, version 1.${OLDEST_API} or newer.`,
  );
}

async function requireFolder(folder) {
  if (await isUsable(folder)) return folder;
  throw new Error(
    `LANTANG_ONNXRUNTIME_INCLUDE names a folder without ${HEADER} and ${CXX_HEADER} of version 1.${OLDEST_API} or newer: ${folder}`,
  );
}

/** True when the folder holds both headers, new enough. */
async function isUsable(folder) {
  try {
    const header = await readFile(join(folder, HEADER), 'utf8');
    await readFile(join(folder, CXX_HEADER));
    const version = Number(/#define ORT_API_VERSION (\d+)/.exec(header)?.[1] ?? 0);
    return version >= OLDEST_API;
  } catch {
    return false;
  }
}

/** Copies whole or not at all: a build that is interrupted here leaves no half folder behind. */
async function installFrom(source, target) {
  const partial = `${target}.${process.pid}.partial`;
  await mkdir(join(target, '..'), { recursive: true });
  await rm(partial, { recursive: true, force: true });
  await cp(source, partial, { recursive: true });
  await rm(target, { recursive: true, force: true });
  await rename(partial, target);
  return source;
}

async function unpackDebianPackage(scratch) {
  const { name, suite, sha256, include } = DEBIAN_PACKAGE;
  const { uri, keyring } = await systemMirror();
  const trust = keyring ? ` signed-by=${keyring}` : '';
  await writeFile(join(scratch, 'sources.list'), `deb [arch=amd64${trust}] ${uri} ${suite} main\n`);
  await mkdir(join(scratch, 'lists', 'partial'), { recursive: true });
  await mkdir(join(scratch, 'cache', 'archives', 'partial'), { recursive: true });
  await apt(scratch, 'update', '-q');
  await apt(scratch, 'download', '-q', name);
  const file = (await readdir(scratch)).find((entry) => entry.endsWith('.deb'));
  if (!file) throw new Error('apt-get downloaded nothing.');
  await requireHash(join(scratch, file), sha256);
  await run('dpkg-deb', ['--extract', join(scratch, file), join(scratch, 'unpacked')]);
  return join(scratch, 'unpacked', include);
}

/** apt with a sources list and state of its own, so that the system's are neither used nor changed. */
async function apt(scratch, ...command) {
  const settings = {
    'Dir::Etc::SourceList': join(scratch, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(scratch, 'lists'),
    'Dir::Cache': join(scratch, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  await run('apt-get', [...options, ...command], { cwd: scratch, timeout: 120_000 });
}

/** The mirror and keyring of this system's own main archive. */
async function systemMirror() {
  const { stdout } = await run('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI) $(ORIGIN) $(COMPONENT) $(SIGNED_BY)',
    'Identifier: Packages',
  ]).catch(() => ({ stdout: '' }));
  const debian = stdout
    .split('\n')
    .map((line) => line.split(' '))
    .find(
      ([uri, origin, component]) =>
        uri && origin === 'Debian' && component === 'main' && !/security/.test(uri),
    );
  const uri = debian?.[0] ?? (await mirrorFromSources());
  if (!uri) throw new Error("This system's apt sources name no Debian mirror.");
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  return {
    uri,
    keyring: await readFile(keyring).then(
      () => keyring,
      () => undefined,
    ),
  };
}

/** The first Debian mirror in the system's sources, in either of apt's two formats. */
async function mirrorFromSources() {
  const folder = '/etc/apt/sources.list.d';
  const names = await readdir(folder).catch(() => []);
  const files = [
    '/etc/apt/sources.list',
    ...names.filter((name) => /\.(list|sources)$/.test(name)).map((name) => join(folder, name)),
  ];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const match = /^(?:URIs:|deb(?:\s+\[[^\]]*\])?)\s+(\S+\/debian\/?)(?:\s|$)/m.exec(text);
    if (match) return match[1];
  }
  return undefined;
}

async function unpackReleaseArchive(scratch) {
  const { url, sha256, include } = RELEASE_ARCHIVE;
  const response = await fetch(url, { signal: AbortSignal.timeout(300_000) }).catch((error) => {
    throw new Error(`${url} cannot be reached (${error.cause?.code ?? error.message}).`);
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  const file = join(scratch, 'release.tgz');
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  await requireHash(file, sha256);
  await run('tar', ['-xzf', file, '-C', scratch, include]);
  return join(scratch, include);
}

async function requireHash(file, expected) {
  const actual = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  if (actual !== expected) throw new Error(`The download has SHA-256 ${actual}, expected ${expected}.`);
}

async function inScratchFolder(work) {
  const scratch = await mkdtemp(join(tmpdir(), 'lantang-headers-'));
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The one line of a failed command's output that says why. */
function firstLine(error) {
  const stderr =
    typeof error.stderr === 'string' ? error.stderr.split('\n').find((line) => /^E:/.test(line)) : undefined;
  return stderr ?? String(error.message).split('\n')[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installOnnxRuntimeHeaders({ log: (line) => console.error(line) }).then(
    (source) => console.log(`ONNX Runtime headers: ${source}.`),
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
