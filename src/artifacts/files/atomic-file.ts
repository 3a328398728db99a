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
 * Writes a stream into a new file down to the disk, and then gives it its final name, durable too. The folder is made
 * and opened while the bytes come: somebody may wait for every step after the last of them.
 */
export async function writeAtomically(
  placement: Placement,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Written> {
  const { partial, folder, nameOf } = placement;
  const opened = openFolder(folder);
  opened.catch(() => undefined);
  try {
    const written = await writeDurably(partial, bytes);
    const handle = await opened;
    await rename(partial, join(folder, nameOf(written)));
    await handle.sync();
    return written;
  } finally {
    opened.then(release, () => undefined);
  }
}

async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<Written> {
  const file = await open(path, 'wx', 0o644);
  try {
    const written = await pour(bytes, file);
    await file.sync();
    return written;
  } finally {
    release(file);
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
