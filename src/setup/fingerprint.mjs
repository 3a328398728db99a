import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot } from './paths.mjs';

/**
 * SHA-256 over the names and contents of files. A content hash, not times: a fresh checkout of the same sources, or
 * a branch switched back and forth, is not a change.
 * @param {string[]} paths files and folders relative to the clone's root; what is missing counts as empty
 * @param {(path: string) => boolean} [wanted]
 */
export async function fingerprint(paths, wanted = () => true) {
  const hash = createHash('sha256');
  for (const path of (await Promise.all(paths.map(filesUnder))).flat().filter(wanted)) {
    const content = await readFile(fromRoot(path)).catch(() => '');
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** The path itself where it is no folder; else every file below it, sorted. */
export async function filesUnder(path) {
  const entries = await readdir(fromRoot(path), { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  const below = entries
    .map((entry) => join(path, entry.name))
    .sort()
    .map(filesUnder);
  return (await Promise.all(below)).flat();
}

const stampFile = (step) => fromRoot(`build/setup/${step}.stamp`);

/** What `writeStamp` noted for this step, or undefined. */
export function readStamp(step) {
  return readFile(stampFile(step), 'utf8').catch(() => undefined);
}

export async function writeStamp(step, content) {
  await mkdir(fromRoot('build/setup'), { recursive: true });
  await writeFile(stampFile(step), content);
}
