import { createHash } from 'node:crypto';
import { mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The bytes' count and their SHA-256, hex. */
export interface Written {
  size: number;
  sha256: string;
}

/** Writes a stream into a new file that nobody looks at yet, down to the disk. */
export async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<Written> {
  const file = await open(path, 'wx', 0o644);
  try {
    const written = await pour(bytes, file);
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}

/** Gives a finished file its final name, and makes the name durable. Makes the folder where it is absent. */
export async function publish(path: string, finalPath: string): Promise<void> {
  const folder = dirname(finalPath);
  const made = await mkdir(folder, { recursive: true });
  await rename(path, finalPath);
  await syncFolder(folder);
  if (made !== undefined) await syncFolder(dirname(folder));
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

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
