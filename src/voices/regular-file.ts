import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { LantangError } from '../errors.js';

type Kind = 'isDirectory' | 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice';

const KINDS: readonly [Kind, string][] = [
  ['isDirectory', 'a folder'],
  ['isFIFO', 'a named pipe'],
  ['isSocket', 'a socket'],
  ['isCharacterDevice', 'a device'],
  ['isBlockDevice', 'a device'],
];

/**
 * Opens a file of a voice, and nothing else that may go by a file's name: a named pipe would keep its reader waiting
 * for ever. Throws `voice_invalid`.
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const name = basename(path);
  const absent = (cause: unknown) => {
    throw new LantangError('voice_invalid', `${name} is missing or can't be read.`, { cause });
  };
  // Asked for before it is opened as well: opening a device may already do something.
  requireFile(name, await stat(path).catch(absent));
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(absent);
  try {
    requireFile(name, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Throws `voice_invalid`, also where the file has more than `mostBytes`. */
export async function readRegular(path: string, mostBytes: number): Promise<string> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    if (size <= mostBytes) return await file.readFile('utf8');
    const message = `${basename(path)} must have at most ${mostBytes} bytes, but has ${size}.`;
    throw new LantangError('voice_invalid', message);
  } finally {
    await file.close();
  }
}

function requireFile(name: string, stats: Record<'isFile' | Kind, () => boolean>): void {
  if (stats.isFile()) return;
  const kind = KINDS.find(([is]) => stats[is]())?.[1] ?? 'something else';
  throw new LantangError('voice_invalid', `${name} must be a file, but is ${kind}.`);
}
