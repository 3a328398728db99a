import type { GraphManifest } from '../manifest.js';

/** What preparing needs of the engine: to hear what it has made. `inference` gives it. */
export interface TrialEngine {
  /** Throws where the graph can't be opened. */
  open(directory: string, manifest: GraphManifest): TrialVoice;
}

export interface TrialVoice {
  /** All rows in one run of the graph, if it is batchable. Throws where a row fails. */
  speak(rows: TrialRow[]): TrialAudio[];
  /** Runs of several rows that failed and were repeated in parts: those rows then were not heard in one run. */
  repeatedRuns(): number;
  close(): void;
}

export interface TrialRow {
  ids: Int32Array;
  lengthScale: number;
  noiseScale: number;
  noiseW: number;
  speaker: number;
  seed: number;
}

export interface TrialAudio {
  samples: Float32Array;
  durations?: Int32Array;
}

/** Samples are in [-1, 1]; 1e-4 is 80 dB below full scale, and a tenth of that is what reordered sums give. */
export const TOLERANCE = 1e-4;
/**
 * What a row may differ by beside others: a batch adds up in another order, and a vocoder makes more of that. A row
 * that another one leaks into differs by a hundredth and more.
 */
export const BATCH_TOLERANCE = 1e-3;
/** In half precision: rounding gives a thousandth and less, a sum that overflows a tenth and more. */
export const HALF_TOLERANCE = 1e-2;

/** Largest absolute difference; infinite where the lengths differ. */
export function difference(actual: TrialAudio[], expected: TrialAudio[]): number {
  let largest = 0;
  for (const [row, { samples }] of actual.entries()) {
    const other = expected[row]!.samples;
    if (samples.length !== other.length) return Infinity;
    for (let i = 0; i < samples.length; i++) largest = Math.max(largest, Math.abs(samples[i]! - other[i]!));
  }
  return largest;
}

export function speakAlone(voice: TrialVoice, rows: TrialRow[]): TrialAudio[] {
  return rows.flatMap((row) => voice.speak([row]));
}

/** Opens, uses and closes. */
export function withVoice<T>(
  engine: TrialEngine,
  directory: string,
  manifest: GraphManifest,
  use: (voice: TrialVoice) => T,
): T {
  const voice = engine.open(directory, manifest);
  try {
    return use(voice);
  } finally {
    voice.close();
  }
}
