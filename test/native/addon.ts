import { createRequire } from 'node:module';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import {
  loadAddon,
  type Addon,
  type AddonVoice,
  type Row,
  type RowAudio,
} from '../../src/inference/binding.js';

/** The library inside the npm package, wherever npm put it. */
export function runtimeLibrary(): string {
  const bin = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')), 'bin');
  for (const abi of readdirSync(bin)) {
    const library = join(bin, abi, process.platform, process.arch, 'libonnxruntime.so.1');
    if (existsSync(library)) return library;
  }
  throw new Error('onnxruntime-node has no library for this platform.');
}

/** The addon with its runtime open. */
export function openAddon(): Addon {
  const addon = loadAddon();
  addon.openRuntime({ libraryPath: runtimeLibrary() });
  return addon;
}

export function row(ids: ArrayLike<number>, changes: Partial<Omit<Row, 'ids'>> = {}): Row {
  const defaults = { lengthScale: 1, noiseScale: 0.667, noiseW: 0.8, speaker: 0, seed: 1 };
  return { ids: Int32Array.from(ids), ...defaults, ...changes };
}

/** The audio of rows none of which may fail. */
export function audioOf(voice: AddonVoice, rows: Row[]): RowAudio[] {
  return voice.synthesize(rows).map((result) => {
    if ('error' in result) throw new Error(`${result.error.code}: ${result.error.message}`);
    return result;
  });
}

/** The error that `work` throws; fails when it throws none, or one without this code. */
export function errorOf(code: string, work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(Error);
    expect(error).to.have.property('code', code);
    return error as Error;
  }
  throw new Error(`Expected an error with the code ${code}, got none.`);
}
