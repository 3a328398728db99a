import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { LantangError } from '../../errors.js';
import type { Voice } from '../../voices/voice.js';
import { askProcess } from '../ask-process.js';
import type { DeviceSpec } from '../binding.js';
import { chooseSetting } from './choose.js';
import type { Measured, MeasureRequest } from './measure.js';
import { candidateSettings, type Setting } from './setting.js';
import { subjectOf } from './subject.js';
import type { Tuning } from './tuning-store.js';

export interface TuneOrder extends MeasureRequest {
  gently: boolean;
}

export type TuneAnswer =
  { measured: Measured; peakBytes: number } | { failure: { code: string; message: string } };

export interface TuneRequest {
  voice: Voice;
  device: DeviceSpec;
  libraryPath: string;
  /** ONNX Runtime's version. */
  runtime: string;
  rounds: number;
  /** Leaves the processors to whoever else wants them. */
  gently?: boolean;
  signal?: AbortSignal;
}

const PROCESS_FILE = fileURLToPath(new URL('./tune-process.js', import.meta.url));

/** Measures the device's candidates with a voice, and chooses. Throws the engine's failure, or `signal`'s reason. */
export async function tune(request: TuneRequest): Promise<Tuning> {
  const { voice, device, runtime } = request;
  const settings = candidateSettings(device, availableParallelism());
  const { measured } = await measureInProcess(request, settings, request.rounds);
  return {
    subject: subjectOf(voice, device, runtime),
    measuredAt: new Date().toISOString(),
    settings,
    ...measured,
    ...chooseSetting(measured),
  };
}

/** The largest resident memory, in bytes, of a process that speaks the reference rows with this setting. */
export async function peakMemory(request: TuneRequest, setting: Setting): Promise<number> {
  const { peakBytes } = await measureInProcess(request, [setting], 1);
  return peakBytes;
}

async function measureInProcess(
  { voice, device, libraryPath, gently, signal }: TuneRequest,
  settings: Setting[],
  rounds: number,
): Promise<{ measured: Measured; peakBytes: number }> {
  const order: TuneOrder = { voice, device, libraryPath, settings, rounds, gently: gently ?? false };
  const reply = await askProcess<TuneAnswer>(PROCESS_FILE, order, { signal });
  const answer = 'answer' in reply ? reply.answer : { failure: ENDED };
  if ('measured' in answer) return answer;
  const { code, message } = answer.failure;
  throw new LantangError(code, `The voice could not be measured: ${message}`);
}

const ENDED = { code: 'inference_failed', message: 'The process ended.' };
