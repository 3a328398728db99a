import { copyFile, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LantangError } from '../errors.js';
import type { KnowsEspeakVoice } from './examine.js';
import { openVoice, type VoicePreparer } from './open-voice.js';
import type { Voice } from './voice.js';

/**
 * Adds a voice to a folder of voices: `path` is its .onnx file, with the .onnx.json beside it. The voice is read,
 * prepared and heard before anything is copied, so what is in the folder speaks. One that lies in the folder already
 * is only read and prepared, again where that has failed before.
 *
 * Throws as `openVoice`, or `voice_exists` where the folder has another voice of that name.
 */
export async function addVoice(
  path: string,
  modelsDir: string,
  preparer: VoicePreparer,
  knows?: KnowsEspeakVoice,
): Promise<Voice> {
  const modelFile = path.endsWith('.onnx.json') ? path.slice(0, -'.json'.length) : path;
  if (!modelFile.endsWith('.onnx')) {
    throw new LantangError(
      'voice_invalid',
      `A voice is added by the path of its .onnx file, but this is ${path}.`,
    );
  }
  const target = join(modelsDir, basename(modelFile));
  if (await isSameFile(modelFile, target)) return openVoice(modelFile, preparer, knows);
  if (await exists(target)) {
    throw new LantangError(
      'voice_exists',
      `There is already a voice named "${basename(modelFile, '.onnx')}": remove it first, or rename the file.`,
    );
  }
  const voice = await openVoice(modelFile, preparer, knows);
  await mkdir(modelsDir, { recursive: true });
  // The .onnx comes last: a folder is read by those.
  await copyWhole(`${modelFile}.json`, `${target}.json`);
  await copyWhole(modelFile, target);
  return voice;
}

/** Removes a voice's files. Throws `voice_not_found`. What was prepared of it stays, for when it comes back. */
export async function removeVoice(name: string, modelsDir: string): Promise<void> {
  const target = join(modelsDir, `${name}.onnx`);
  if (dirname(target) !== join(modelsDir) || !(await exists(target))) {
    throw new LantangError('voice_not_found', `There is no voice named "${name}" among the added ones.`);
  }
  await rm(target);
  await rm(`${target}.json`, { force: true });
}

/** The copy appears under its final name when it is complete. */
async function copyWhole(from: string, to: string): Promise<void> {
  const partial = join(dirname(to), `.${basename(to)}.${process.pid}.partial`);
  try {
    await copyFile(from, partial);
    await rename(partial, to);
  } finally {
    await rm(partial, { force: true });
  }
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)));
  return a !== undefined && a === b;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
