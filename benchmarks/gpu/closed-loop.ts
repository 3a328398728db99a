import type { DeviceSpec } from '../../src/inference/binding.js';
import { Synthesizer } from '../../src/inference/scheduler.js';
import { batchLimits, bucketsOf } from '../../src/inference/tuning/setting.js';
import type { Voice } from '../../src/voices/voice.js';
import { percentile } from '../statistics.js';
import { mixedRows, rowOf } from './bench-voice.js';

export interface LoopLimits {
  rounds: number;
  /** A level ends after this, whatever its rounds. */
  secondsPerLevel: number;
}

export interface Level {
  streams: number;
  sentences: number;
  /** Seconds of audio per second. */
  throughput: number;
  /** Milliseconds from asking for a sentence to having it. */
  average: number;
  p50: number;
  p90: number;
  p95: number;
  p99: number;
  /** Waiting per second of audio, as one stream sees it. */
  realTimeFactor: number;
  rowsPerBatch: number;
}

export function openSynthesizer(engine: {
  libraryPath: string;
  device: DeviceSpec;
  lanes: number;
}): Synthesizer {
  const { libraryPath, device, lanes } = engine;
  const setups = Array.from({ length: lanes }, (_, lane) => ({
    libraryPath,
    device,
    lane,
    ...bucketsOf(device),
  }));
  return new Synthesizer(setups, batchLimits([{ device, lanes }]));
}

/** So many streams, each of which asks for its next sentence as soon as it has the last one. */
export async function measureLevel(
  synthesizer: Synthesizer,
  voice: Voice,
  streams: number,
  { rounds, secondsPerLevel }: LoopLimits,
): Promise<Level> {
  const rows = mixedRows(voice, streams * rounds);
  const latencies: number[] = [];
  let audioSeconds = 0;
  const before = synthesizer.stats();
  const began = performance.now();
  const speakInTurn = async (stream: number) => {
    for (let round = 0; round < rounds; round++) {
      const asked = performance.now();
      if (round > 0 && asked - began > secondsPerLevel * 1000) return;
      // Streams begin at other sentences, so that no round has them all at the same one.
      const row = rows[(stream * rounds + round) % rows.length]!;
      const user = `stream ${stream}`;
      const { samples } = await synthesizer.synthesize(voice, row, { priority: 'interactive', user });
      latencies.push(performance.now() - asked);
      audioSeconds += samples.length / voice.sampleRate;
    }
  };
  await Promise.all(Array.from({ length: streams }, (_, stream) => speakInTurn(stream)));
  const wall = (performance.now() - began) / 1000;
  const after = synthesizer.stats();
  const total = latencies.reduce((sum, latency) => sum + latency, 0);
  return {
    streams,
    sentences: latencies.length,
    throughput: audioSeconds / wall,
    average: total / latencies.length,
    p50: percentile(latencies, 0.5),
    p90: percentile(latencies, 0.9),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    realTimeFactor: total / 1000 / audioSeconds,
    rowsPerBatch: (after.rows - before.rows) / (after.batches - before.batches),
  };
}

/** Milliseconds to the first piece of a streamed sentence, with nothing else going on. */
export async function measureFirstAudio(
  synthesizer: Synthesizer,
  voice: Voice,
  count: number,
): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  const windows = { firstFrames: 32, windowFrames: 128 };
  for (let seed = 0; seed < count; seed++) {
    const asked = performance.now();
    let first = 0;
    const { pieces } = synthesizer.stream(voice, rowOf(voice, 1, seed), windows, {
      priority: 'interactive',
      user: 'listener',
    });
    for await (const piece of pieces) if (piece.length > 0) first ||= performance.now() - asked;
    times.push(first);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}
