import { readFileSync } from 'node:fs';
import type { Addon, AddonVoice, DeviceSpec } from '../../src/inference/binding.js';
import { readPiperVoice } from '../../src/voices/piper.js';
import { readModel } from '../../src/voices/prepare/onnx/model.js';
import { asPublished, publishedDraft } from '../../src/voices/prepare/draft.js';
import { percentile } from '../statistics.js';
import { mixedRows, type BenchVoice } from './bench-voice.js';

export interface BareRun {
  sentences: number;
  /** Seconds of audio per second; one caller or many make no difference to it. */
  throughput: number;
  /** Milliseconds of a sentence when it need not wait. */
  p50: number;
  p95: number;
}

/**
 * The peer: the runtime alone, as whoever runs a published voice without an engine has it. The graph as published, one
 * sentence a run. It gets the same provider options as ours, which are better than the runtime's own defaults.
 */
export async function measureBare(
  addon: Addon,
  { voice, file }: BenchVoice,
  device: DeviceSpec,
  limits: { sentences: number; seconds: number },
): Promise<BareRun> {
  const engine = await loadPublished(addon, file, device);
  const rows = mixedRows(voice, limits.sentences);
  for (const row of rows.slice(0, 8)) engine.synthesize([row]); // one of each length, which also choose algorithms
  const times: number[] = [];
  let samples = 0;
  const began = performance.now();
  for (const row of rows) {
    const asked = performance.now();
    if (times.length >= 8 && asked - began > limits.seconds * 1000) break;
    const [result] = engine.synthesize([row]);
    if (!result || 'error' in result) throw new Error(`The published graph failed: ${result?.error.message}`);
    samples += result.samples.length;
    times.push(performance.now() - asked);
  }
  const wall = (performance.now() - began) / 1000;
  engine.close();
  const throughput = samples / voice.sampleRate / wall;
  return { sentences: times.length, throughput, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

async function loadPublished(addon: Addon, file: string, device: DeviceSpec): Promise<AddonVoice> {
  const published = await readPiperVoice(file);
  const draft = publishedDraft(readModel(readFileSync(file)), published, 'published');
  return addon.load({ ...asPublished(draft, file), device });
}
