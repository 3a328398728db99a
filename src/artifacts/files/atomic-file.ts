import { createHash } from 'node:crypto';
import { mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The bytes' count and their SHA-256, hex. */
export interface Written {
  size: number;
  sha256: string;
}

/** A file in the making, and where it will be. */
export interface Placement {
  /** Where it is written: on the same file system as `folder`, and nobody looks there. */
  partial: string;
  /** Made where it is absent; the one that it lies in is not. */
  folder: string;
  /** Its final name in the folder. */
  nameOf: (written: Written) => string;
}

/**
 * Writes a stream into a new file and gives it its final name; when it resolves, both have reached the disk. The name
 * comes before the sync, so that one commit of the file system's journal takes both: after a power cut in between
 * there may be a name without its bytes, which nobody was told of. The folder is made and opened while the bytes come.
 * Somebody may wait for every step after the last of them.
 */
export async function writeAtomically(
  placement: Placement,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Written> {
  const { partial, folder, nameOf } = placement;
  const opened = openFolder(folder);
  const created = open(partial, 'wx', 0o644);
  try {
    const file = await created;
    const written = await pour(bytes, file);
    const handle = await opened;
    await moveDurably({ partial, path: join(folder, nameOf(written)) }, [file, handle]);
    return written;
  } finally {
    // Each may have failed, or may not have been waited for, because the other did.
    for (const opening of [created, opened]) opening.then(release, () => undefined);
  }
}

/** Leaves nothing under the final name when it fails. */
async function moveDurably(from: { partial: string; path: string }, written: FileHandle[]): Promise<void> {
  const { partial, path } = from;
  await rename(partial, path);
  try {
    for (const file of written) await file.sync();
  } catch (error) {
    await removeFile(path).catch(() => undefined);
    throw error;
  }
}

/** Nobody waits for it: what was synced has nothing to lose by being closed. */
export function release(file: FileHandle): void {
  file.close().catch(() => undefined);
}

/** Removes a file, if it is there. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function pour(bytes: AsyncIterable<Uint8Array>, file: FileHandle): Promise<Written> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    size += piece.length;
    await writeWhole(file, piece);
  }
  return { size, sha256: hash.digest('hex') };
}

/** `write` may take only a part, on a disk that is nearly full. */
async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length;) at += (await file.write(piece, at)).bytesWritten;
}

/** A folder, made durably where it was absent. */
async function openFolder(path: string): Promise<FileHandle> {
  const found = await open(path, 'r').catch(() => undefined);
  if (found) return found;
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await syncFolder(dirname(path));
  return open(path, 'r');
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
