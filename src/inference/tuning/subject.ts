import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { PREPARATION_VERSION } from '../../voices/prepare/draft.js';
import type { Voice } from '../../voices/voice.js';
import type { DeviceSpec } from '../binding.js';

/** Raised whenever the engine, or what is tried and how it is measured, changes so that other settings may win. */
const TUNING_VERSION = 1;

/** What a measurement is true of: something else of these, and it must be made again. */
export interface Subject {
  /** SHA-256 of the published graph, hex. */
  voice: string;
  preparation: number;
  tuning: number;
  /** ONNX Runtime's version. */
  runtime: string;
  /** Kind and number of the processors. */
  device: string;
}

export function subjectOf(voice: Pick<Voice, 'sha256'>, device: DeviceSpec, runtime: string): Subject {
  return {
    voice: voice.sha256,
    preparation: PREPARATION_VERSION,
    tuning: TUNING_VERSION,
    runtime,
    device: describeDevice(device),
  };
}

/** A name for it in the file system. */
export function subjectKey(subject: Subject): string {
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex').slice(0, 32);
}

function describeDevice(device: DeviceSpec): string {
  const processor = `${cpus()[0]?.model.trim() ?? 'unknown CPU'} (${arch()}), ${availableParallelism()} cores`;
  if (device.provider === 'cpu') return `cpu: ${processor}`;
  const gpus = device.provider === 'cuda' ? nvidiaModels() : '';
  return `${device.provider}:${device.deviceId ?? 0}: ${gpus}; ${processor}`;
}

/** As the NVIDIA driver names its GPUs, all of them: which of them has which number, only CUDA knows. */
function nvidiaModels(): string {
  const folder = '/proc/driver/nvidia/gpus';
  try {
    return readdirSync(folder)
      .sort()
      .map(
        (gpu) => /^Model:\s*(.+)$/m.exec(readFileSync(join(folder, gpu, 'information'), 'utf8'))?.[1] ?? '',
      )
      .join(', ');
  } catch {
    return '';
  }
}
