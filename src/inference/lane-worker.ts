/*
 * The file that each lane's thread loads. It keeps the voices it has used; the sessions behind them belong to the
 * process and are shared by all lanes of a device. It makes one synchronous native call at a time.
 */
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { manifestOn } from '../voices/manifest.js';
import { loadAddon, type AddonVoice, type Row, type RowResult } from './binding.js';
import type { LaneAnswer, LaneSetup, LaneTask, LaneVoice, StreamMessage, StreamTask } from './lane-task.js';

const { libraryPath, device, lane } = workerData as LaneSetup;
const addon = loadAddon();
addon.openRuntime({ libraryPath });
const voices = new Map<string, AddonVoice>();

export default function run(task: LaneTask): unknown {
  switch (task.kind) {
    case 'batch':
      return transferred(batch(task.voice, task.rows));
    case 'warm':
      return batch(task.voice, [task.row]);
    case 'stream':
      return stream(task);
    case 'forget':
      return forget(task.directory);
  }
}

function batch(voice: LaneVoice, rows: Row[]): LaneAnswer {
  const began = performance.now();
  const results = speak(voice, rows);
  if (results.some((result) => 'error' in result && result.error.code === 'device_lost')) {
    forget(voice.directory);
  }
  return { results, seconds: (performance.now() - began) / 1000 };
}

/** What fails the whole call, a voice that cannot be loaded for one, fails every row of it. */
function speak(voice: LaneVoice, rows: Row[]): RowResult[] {
  try {
    return voiceOf(voice).synthesize(rows);
  } catch (error) {
    return rows.map(() => ({ error: failureOf(error) }));
  }
}

/** An error's code would be lost on its way to the other thread. */
function failureOf(error: unknown): { code: string; message: string } {
  const { code = 'inference_failed', message } = error as Error & { code?: string };
  return { code, message };
}

function stream({ voice, row, firstFrames, windowFrames, port, cancelled }: StreamTask): void {
  const tell = (message: StreamMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const began = performance.now();
  try {
    const pieces = voiceOf(voice).stream(row, { firstFrames, windowFrames });
    for (let piece = pieces.next(); piece && !Atomics.load(cancelled, 0); piece = pieces.next()) {
      tell({ samples: piece }, [piece.buffer as ArrayBuffer]);
    }
    const durations = pieces.durations() ?? undefined;
    pieces.close();
    tell({ end: { durations, seconds: (performance.now() - began) / 1000 } });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'device_lost') forget(voice.directory);
    tell({ error: failure });
  } finally {
    port.close();
  }
}

function voiceOf({ directory, manifest }: LaneVoice): AddonVoice {
  let voice = voices.get(directory);
  if (!voice) {
    voice = addon.load({ directory, manifest: manifestOn(device.provider, manifest), device, lane });
    voices.set(directory, voice);
  }
  return voice;
}

/** The next use loads it anew: after a lost device, or when the voice was removed. */
function forget(directory: string): void {
  voices.get(directory)?.close();
  voices.delete(directory);
}

/** The answer, whose samples move to the other thread instead of being copied. */
function transferred(answer: LaneAnswer): unknown {
  const buffers = answer.results.flatMap((result) => ('samples' in result ? [result.samples.buffer] : []));
  return move({ [transferableSymbol]: buffers, [valueSymbol]: answer });
}
