import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LantangError } from '../errors.js';
import { requireModelOutline } from './model-outline.js';
import { readPiperVoice, type PublishedVoice } from './piper.js';
import { openRegular } from './regular-file.js';

/** Whether espeak-ng has a voice of that name. */
export type KnowsEspeakVoice = (name: string) => Promise<boolean>;

/** A voice about which nothing is wrong as far as its files tell. */
export interface ExaminedVoice {
  published: PublishedVoice;
  /** Of the .onnx file, hex. */
  sha256: string;
}

/**
 * All of a voice that can be checked without running it: its json, that espeak-ng has its voice (not asked where
 * `knows` is absent), that its .onnx is a whole model. Throws `voice_invalid`.
 */
export async function examineVoice(modelFile: string, knows?: KnowsEspeakVoice): Promise<ExaminedVoice> {
  await requireModel(modelFile);
  const published = await readPiperVoice(modelFile);
  if (knows) await requireSpoken(published, basename(modelFile), knows);
  return { published, sha256: await sha256Of(modelFile) };
}

async function requireModel(modelFile: string): Promise<void> {
  const file = await openRegular(modelFile);
  try {
    await requireModelOutline(file, basename(modelFile));
  } finally {
    await file.close();
  }
}

async function requireSpoken({ text }: PublishedVoice, file: string, knows: KnowsEspeakVoice): Promise<void> {
  const { phonemeType, espeakVoice } = text;
  if (phonemeType !== 'espeak' || (await knows(espeakVoice))) return;
  const message =
    `${file}.json: espeak.voice must be a voice that espeak-ng has here, such as "en-us" ` +
    `(\`espeak-ng --voices\` lists them), but is ${JSON.stringify(espeakVoice)}.`;
  throw new LantangError('voice_invalid', message);
}

async function sha256Of(modelFile: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(modelFile, { highWaterMark: 1 << 20 }), hash).catch((cause: unknown) => {
    throw new LantangError('voice_invalid', "The voice's .onnx file is missing or can't be read.", { cause });
  });
  return hash.digest('hex');
}
