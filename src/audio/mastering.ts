import { fromDecibels } from './waveform.js';

/** The last steps of one stream of mono samples: loudness, peaks, rate, and 16 bits for the encoder. */
export interface Mastering {
  /** Output for the samples so far that no later input can change: signed 16-bit little-endian PCM. */
  process(samples: Float32Array): Buffer;
  /** The rest. In all, exactly round(input samples × outputRate ÷ inputRate) samples come out. */
  finish(): Buffer;
}

/** What makes mastering chains; the native addon is one. */
export interface MasteringSource {
  mastering(options: { inputRate: number; outputRate: number; gain: number; ceiling: number }): Mastering;
}

export interface MasteringOptions {
  inputRate: number;
  outputRate: number;
  /** Linear factor that brings the voice to the common loudness. */
  gain: number;
}

/** Decibels of full scale: what an encoder's own filter overshoots still fits. */
const CEILING = -1;

export function openMastering(source: MasteringSource, options: MasteringOptions): Mastering {
  return source.mastering({ ...options, ceiling: fromDecibels(CEILING) });
}
