import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { ADDON_FILE, type DeviceSpec, type Row } from '../inference/binding.js';
import type { Voice } from '../voices/voice.js';

/** SHA-256 over everything that has a say in a segment's samples, hex. */
export type SegmentKey = string;

/** What speaks, beside the voice: the same row may differ in its last bits where any of this does. */
export interface Engine {
  /** Of ONNX Runtime. */
  runtimeVersion: string;
  devices: DeviceSpec[];
}

/** A few words for an engine, which hold for as long as neither the program nor the machine changes. */
export function engineIdentity({ runtimeVersion, devices }: Engine): string {
  const addon = createHash('sha256').update(readFileSync(ADDON_FILE)).digest('hex');
  // The runtime chooses its kernels by the processor.
  const processor = `${process.arch} ${cpus()[0]?.model ?? ''}`;
  const distinct = new Set(devices.map((device) => JSON.stringify(device)));
  return JSON.stringify([addon, runtimeVersion, processor, [...distinct].sort()]);
}

/** Whom an entry is for: everybody, or one user alone. */
export type Audience = (user: string) => string;

/**
 * Keys of rows. Pitch, volume, pauses and formats are not in them: what they change happens to a segment's samples
 * afterwards. Neither is whether the samples are wanted in pieces, since those joined are the same samples.
 */
export class SegmentKeys {
  readonly #voices = new WeakMap<Voice, string>();

  constructor(
    private readonly engine: string,
    private readonly audience: Audience,
  ) {}

  of(voice: Voice, row: Row, user: string): SegmentKey {
    const numbers = [row.lengthScale, row.noiseScale, row.noiseW, row.speaker, effectiveSeed(row)];
    return createHash('sha256')
      .update(JSON.stringify([this.engine, this.#identityOf(voice), this.audience(user)]))
      .update(Float64Array.from(numbers))
      .update(row.ids)
      .digest('hex');
  }

  /** The manifest tells the published file's hash, the preparation's version, and which rewritings it kept here. */
  #identityOf(voice: Voice): string {
    let identity = this.#voices.get(voice);
    if (identity === undefined) {
      identity = createHash('sha256')
        .update(JSON.stringify([voice.sha256, voice.manifest]))
        .digest('hex');
      this.#voices.set(voice, identity);
    }
    return identity;
  }
}

/** A seed is heard through the noises alone: without them all seeds give the same samples. */
function effectiveSeed({ noiseScale, noiseW, seed }: Row): number {
  return noiseScale === 0 && noiseW === 0 ? 0 : seed;
}
