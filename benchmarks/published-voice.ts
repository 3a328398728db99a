import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parsePiperVoice } from '../src/voices/piper.js';
import { CACHE, ROOT } from './paths.js';

/** The .onnx file in which a model is the first speaker, as published: embedded, or one of the tests'. */
export function publishedFile(model: string): string {
  const files = [join(ROOT, 'models'), CACHE].flatMap(voiceFiles);
  const found = files.find((file) => {
    const json: unknown = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
    return parsePiperVoice(json, file).models[0]?.name === model;
  });
  if (found === undefined)
    throw new Error(`No voice in models/ or in the cache has ${model} as its first speaker.`);
  return found;
}

function voiceFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.onnx'));
  return names.map((name) => join(folder, name)).filter((file) => existsSync(`${file}.json`));
}
