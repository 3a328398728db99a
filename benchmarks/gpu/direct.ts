import { execFileSync } from 'node:child_process';
import type { Addon, AddonVoice, DeviceSpec, Row } from '../../src/inference/binding.js';
import { BUCKETS } from '../../src/inference/tuning/setting.js';
import { manifestOn } from '../../src/voices/manifest.js';
import type { Voice } from '../../src/voices/voice.js';
import { residentOfTree } from '../resident-memory.js';
import { median } from '../statistics.js';
import { mixedRows, rowOf } from './bench-voice.js';

export function load(addon: Addon, voice: Voice, variant: Variant, rowsPerRun = 64): AddonVoice {
  const { directory, manifest } = voice;
  const { device, buckets } = variant;
  const suited = manifestOn(device.provider, manifest, device.provider === 'cuda' ? device : {});
  const request = { directory, manifest: suited, device, rowsPerRun };
  return addon.load({ ...request, ...(buckets ? { buckets } : {}) });
}

/** Samples of all rows; throws where one failed. */
function speak(engine: AddonVoice, rows: Row[]): number {
  return engine.synthesize(rows).reduce((sum, result) => {
    if ('error' in result) throw new Error(`${result.error.code}: ${result.error.message}`);
    return sum + result.samples.length;
  }, 0);
}

export interface BatchRun {
  rows: number;
  /** Milliseconds of one call, the median. */
  milliseconds: number;
  /** Seconds of audio per second. */
  throughput: number;
}

/** One native call with so many rows, repeated; the first call also chooses algorithms and does not count. */
export function measureBatch(
  engine: AddonVoice,
  voice: Voice,
  rows: number,
  limits: { repeats: number; seconds: number },
): BatchRun {
  const batch = mixedRows(voice, rows);
  const began = performance.now();
  speak(engine, batch);
  const times: number[] = [];
  let samples = 0;
  for (let i = 0; i < limits.repeats; i++) {
    const asked = performance.now();
    if (i > 0 && asked - began > limits.seconds * 1000) break;
    samples = speak(engine, batch);
    times.push(performance.now() - asked);
  }
  const milliseconds = median(times);
  return { rows, milliseconds, throughput: samples / voice.sampleRate / (milliseconds / 1000) };
}

/** Away from the default in one thing. */
export interface Variant {
  option: string;
  device: DeviceSpec;
  buckets?: number[];
}

/** Every option of the engine and of CUDA's provider, each by itself against the default. */
export function optionVariants(device: DeviceSpec): Variant[] {
  const buckets = BUCKETS;
  const anywhere: Variant[] = [
    { option: 'as configured', device },
    { option: 'vocoder in buckets', device, buckets },
  ];
  if (device.provider === 'cpu')
    return [...anywhere, { option: 'fixed shapes', device: { ...device, graphs: true }, buckets }];
  if (device.provider !== 'cuda') return anywhere;
  const provider = (option: string, providerOptions: Record<string, string>): Variant => ({
    option,
    device: { ...device, providerOptions },
  });
  return [
    ...anywhere,
    { option: 'CUDA graphs, in buckets', device: { ...device, graphs: true }, buckets },
    { option: 'pageable memory', device: { ...device, pinned: false } },
    { option: 'encoder on the CPU', device: { ...device, encoderOnCpu: true } },
    { option: 'vocoder in half precision', device: { ...device, halfPrecision: true } },
    { option: 'TF32 off', device: { ...device, tf32: false } },
    { option: 'exhaustive search', device: { ...device, algorithmSearch: 'exhaustive' } },
    { option: 'default algorithm', device: { ...device, algorithmSearch: 'default' } },
    provider('1-D not padded to N×C×1×D', { cudnn_conv1d_pad_to_nc1d: '0' }),
    provider('small workspace', { cudnn_conv_use_max_workspace: '0' }),
    provider('NHWC preferred', { prefer_nhwc: '1' }),
    provider('arena in powers of two', { arena_extend_strategy: 'kNextPowerOfTwo' }),
  ];
}

/** Milliseconds until a voice that was never used in this process has loaded, and has spoken for the first time. */
export function measureColdStart(addon: Addon, voice: Voice, device: DeviceSpec) {
  const began = performance.now();
  const engine = load(addon, voice, { option: '', device }, 63); // of its own: sessions are shared by those who ask for the same
  const loaded = performance.now();
  speak(engine, [rowOf(voice, 1, 0)]);
  const first = performance.now();
  speak(engine, [rowOf(voice, 1, 0)]);
  const second = performance.now();
  engine.close();
  return { load: loaded - began, firstSentence: first - loaded, secondSentence: second - first };
}

export interface MemoryPoint {
  rows: number;
  deviceMebibytes: number;
  processMebibytes: number;
}

/** Memory while rows of random lengths are spoken: `count` rows in batches of 8, told every 8 batches. */
export function measureMemory(
  engine: AddonVoice,
  voice: Voice,
  device: DeviceSpec,
  limits: { count: number; seconds: number },
): MemoryPoint[] {
  const points: MemoryPoint[] = [];
  const began = performance.now();
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647; // Park and Miller's generator
  let spoken = 0;
  while (spoken < limits.count && performance.now() - began < limits.seconds * 1000) {
    const rows = Array.from({ length: 8 }, (_, i) => rowOf(voice, 0.1 + 2.4 * random(), i));
    speak(engine, rows);
    if (spoken % 64 === 0) points.push(memoryPoint(spoken + 8, device));
    spoken += 8;
  }
  return [...points, memoryPoint(spoken, device)];
}

function memoryPoint(rows: number, device: DeviceSpec): MemoryPoint {
  const processMebibytes = Math.round(residentOfTree(process.pid) / 2 ** 20);
  return { rows, deviceMebibytes: deviceMemory(device), processMebibytes };
}

/** As nvidia-smi tells it; 0 where there is none. */
function deviceMemory(device: DeviceSpec): number {
  if (device.provider !== 'cuda') return 0;
  const query = ['--query-gpu=memory.used', '--format=csv,noheader,nounits', `--id=${device.deviceId}`];
  try {
    return Number(execFileSync('nvidia-smi', query, { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return 0;
  }
}
