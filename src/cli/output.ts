import { createWriteStream, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AudioFormatName } from '../audio/format.js';
import { audioFormat, FORMAT_NAMES } from '../audio/formats.js';
import { LantangError } from '../errors.js';

/** Where the audio of `lantang say` goes: a file, or standard output as `-`. */
const STANDARD_OUTPUT = '-';

/** What people call a file of one of the formats, beside its own extension. */
const OTHER_EXTENSIONS: Readonly<Record<string, AudioFormatName>> = {
  '': 'wav',
  '.wave': 'wav',
  '.opus': 'ogg',
  '.oga': 'ogg',
  '.aac': 'aac',
  '.mp4': 'aac',
  '.raw': 'pcm',
};

/** Throws `invalid_argument` where no file can be written there; found out before anything is spoken. */
export function requireWritable(output: string): void {
  if (output === STANDARD_OUTPUT) return;
  if (isFolder(output)) throw refusal(`${output} is a folder; -o names a file.`);
  if (!isFolder(dirname(output)))
    throw refusal(`There is no folder ${dirname(output)} to put the audio into.`);
}

/** As the ending of the file's name says; WAV where it has none. Throws `invalid_argument` at one that is unknown. */
export function formatOf(output: string): AudioFormatName {
  const extension = output === STANDARD_OUTPUT ? '' : extname(output).toLowerCase();
  const format =
    FORMAT_NAMES.find((name) => audioFormat(name).extension === extension) ?? OTHER_EXTENSIONS[extension];
  if (format) return format;
  const known = FORMAT_NAMES.map((name) => audioFormat(name).extension).join(', ');
  throw refusal(`No format is known by ${extension} (known are ${known}): choose one with --format.`);
}

/** A file appears under its name when it is whole; whoever closes standard output early has heard enough. */
export async function writeAudio(bytes: AsyncIterable<Buffer>, output: string): Promise<void> {
  if (output === STANDARD_OUTPUT) {
    await pipeline(Readable.from(bytes), process.stdout).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
    return;
  }
  const partial = `${output}.${process.pid}.partial`;
  try {
    await pipeline(Readable.from(bytes), createWriteStream(partial));
    await rename(partial, output);
  } finally {
    await rm(partial, { force: true });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function refusal(message: string): LantangError {
  return new LantangError('invalid_argument', message);
}
