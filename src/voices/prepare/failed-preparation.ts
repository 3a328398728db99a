import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LantangError } from '../../errors.js';
import type { PublishedVoice } from '../piper.js';

/*
 * A voice that could not be prepared is not tried again at every start. Beside the folder that it would have been
 * prepared into, whose name holds the file's SHA-256 and the version of the preparation, a note says why; it counts as
 * long as the voice's json says the same.
 */

interface Note {
  described: string;
  code: string;
  message: string;
}

/** The sentence that says how to try again follows the message. */
export async function recallFailure(
  directory: string,
  voice: PublishedVoice,
): Promise<LantangError | undefined> {
  try {
    const { described, code, message } = JSON.parse(await readFile(noteOf(directory), 'utf8')) as Note;
    if (described !== descriptionOf(voice)) return undefined;
    return new LantangError(code, `${message} \`lantang voices add\` with the path of its file tries again.`);
  } catch {
    return undefined;
  }
}

/** Best effort: where nothing can be written, the voice is tried again at the next start. */
export async function rememberFailure(
  directory: string,
  voice: PublishedVoice,
  { code, message }: LantangError,
): Promise<void> {
  const note: Note = { described: descriptionOf(voice), code, message };
  await mkdir(dirname(directory), { recursive: true }).catch(() => undefined);
  await writeFile(noteOf(directory), `${JSON.stringify(note)}\n`).catch(() => undefined);
}

export async function forgetFailure(directory: string): Promise<void> {
  await rm(noteOf(directory), { force: true }).catch(() => undefined);
}

function noteOf(directory: string): string {
  return `${directory}.failed.json`;
}

/** Of everything in the json that preparing looks at. */
function descriptionOf({ text, scales, sampleRate, hop, numSymbols, numSpeakers }: PublishedVoice): string {
  const described = [[...text.idMap], text.phonemeType, scales, sampleRate, hop, numSymbols, numSpeakers];
  return createHash('sha256').update(JSON.stringify(described)).digest('hex');
}
