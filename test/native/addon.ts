import { expect } from 'chai';
import {
  loadAddon,
  type Addon,
  type AddonVoice,
  type Row,
  type RowAudio,
} from '../../src/inference/binding.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';

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
