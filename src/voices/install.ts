import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LantangError } from '../errors.js';
import { openVoice, type PrepareVoice } from './catalogue.js';
import type { Voice } from './voice.js';

/**
 * Adds a voice to a folder of voices: `path` is its .onnx file, with the .onnx.json beside it. The voice is read,
 * prepared and heard before anything is copied, so what is in the folder speaks.
 *
 * Throws `voice_invalid`, or `voice_exists` where the folder has a voice of that name.
 */
export async function addVoice(path: string, modelsDir: string, prepare: PrepareVoice): Promise<Voice> {
  const modelFile = path.endsWith('.onnx.json') ? path.slice(0, -'.json'.length) : path;
  if (!modelFile.endsWith('.onnx')) {
    throw new LantangError('voice_invalid', 'A voice is added by the path of its .onnx file.');
  }
  const target = join(modelsDir, basename(modelFile));
  if (await exists(target)) {
    throw new LantangError(
      'voice_exists',
      `There is already a voice named "${basename(modelFile, '.onnx')}".`,
    );
  }
  const voice = await openVoice(modelFile, prepare);
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

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
