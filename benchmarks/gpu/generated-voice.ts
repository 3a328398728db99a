import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readModel, writeModel } from '../../src/voices/prepare/onnx/model.js';
import { VOCODER_SIZES, withVocoder } from './generated-vocoder.js';

/**
 * Writes `generated-high` or `generated-medium` into a folder: a published voice whose vocoder is replaced by one of
 * that size with random weights. Its text side is the same at both sizes, so that durations are those of real speech;
 * it costs what a published voice of the size costs, and says nothing that a person would understand.
 */
export function writeGeneratedVoice(
  published: string,
  folder: string,
  size: keyof typeof VOCODER_SIZES,
): string {
  const file = join(folder, `generated-${size}.onnx`);
  const model = readModel(readFileSync(published));
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, writeModel({ ...model, graph: withVocoder(model.graph, VOCODER_SIZES[size]) }));
  copyFileSync(`${published}.json`, `${file}.json`);
  return file;
}
