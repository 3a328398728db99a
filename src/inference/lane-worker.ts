/*
 * The file that each lane's thread loads. It keeps the voices it has used; the sessions behind them belong to the
 * process and are shared by all lanes of a device. It makes one synchronous native call at a time.
 */
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { loadAddon, type AddonVoice, type RowResult } from './binding.js';
import type { LaneAnswer, LaneSetup, LaneTask, LaneVoice, StreamMessage, StreamTask } from './lane-task.js';

const { libraryPath, device, lane } = workerData as LaneSetup;
const addon = loadAddon();
addon.openRuntime({ libraryPath });
const voices = new Map<string, AddonVoice>();

export default function run(task: LaneTask): unknown {
  switch (task.kind) {
    case 'batch':
      return transferred(batch(task.voice, () => voiceOf(task.voice).synthesize(task.rows)));
    case 'warm':
      return batch(task.voice, () => voiceOf(task.voice).synthesize([task.row]));
    case 'stream':
      return stream(task);
    case 'forget':
      return forget(task.directory);
  }
}

function batch(voice: LaneVoice, speak: () => RowResult[]): LaneAnswer {
  const began = performance.now();
  const results = speak();
  if (results.some((result) => 'error' in result && result.error.code === 'device_lost')) {
    forget(voice.directory);
  }
  return { results, seconds: (performance.now() - began) / 1000 };
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
    const { code = 'inference_failed', message } = error as Error & { code?: string };
    if (code === 'device_lost') forget(voice.directory);
    tell({ error: { code, message } });
  } finally {
    port.close();
  }
}

function voiceOf({ directory, manifest }: LaneVoice): AddonVoice {
  let voice = voices.get(directory);
  if (!voice) {
    voice = addon.load({ directory, manifest, device, lane });
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
