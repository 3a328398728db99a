import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent, writingError } from './faults.js';
import { UNFINISHED } from './file-artifact-store.js';

/**
 * Copies all artifacts of a store's directory into another one, also while the store is in use; how many. Names stand
 * for one content, so what is there already is left, and copying again into the same directory adds what is new.
 * Copied after the database, it has the audio of every complete job in the database's copy, but for what was deleted
 * meanwhile. Throws `storage_full`, `storage_unavailable`.
 */
export async function copyArtifacts(directory: string, destination: string): Promise<number> {
  let copied = 0;
  try {
    for (const shard of await shardsOf(directory)) {
      if (shard.isDirectory() && shard.name !== UNFINISHED) {
        copied += await copyShard(join(directory, shard.name), join(destination, shard.name));
      }
    }
  } catch (error) {
    throw writingError(error);
  }
  return copied;
}

/** None in a store that has never been opened. */
async function shardsOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

async function copyShard(from: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true });
  const there = new Set(await readdir(to));
  const fresh = (await readdir(from)).filter((name) => !there.has(name));
  let copied = 0;
  for (const name of fresh) copied += Number(await copyIfThere(join(from, name), join(to, name)));
  return copied;
}

/** A copy is there whole or not at all; it shares the disk's blocks where that can be. False when `from` is gone. */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, `${to}.partial`, constants.COPYFILE_FICLONE);
    await rename(`${to}.partial`, to);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
