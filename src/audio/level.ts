import { fromDecibels } from './waveform.js';

export interface LimiterOptions {
  sampleRate: number;
  /** Linear factor for every sample, applied before limiting. */
  gain?: number;
  /** Decibels of full scale that no output sample exceeds. */
  ceiling?: number;
}

/** Seconds that a peak is seen before it comes, over which the gain is brought down. */
const LOOK_AHEAD = 0.005;
/** Time constant, in seconds, with which the gain comes back: long enough not to follow single pitch periods. */
const RELEASE = 0.06;
/** A gain this near to 1 is 1, so that after a peak the signal is again passed exactly. */
const UNITY = 1 - 1e-5;

/**
 * Constant gain and a look-ahead peak limiter for one stream of mono samples.
 *
 * The gain that each sample needs to stay under the ceiling is held for the look-ahead (sliding minimum), let go
 * exponentially, and averaged over the look-ahead. As every value in that average is no greater than what the sample
 * needs, the ceiling holds; as the average is a finite ramp, the gain never jumps. Where no sample exceeds the ceiling
 * the output is gain × input exactly.
 */
export class Limiter {
  readonly #gain: number;
  readonly #ceiling: number;
  readonly #delay: Float32Array;
  readonly #release: number;
  readonly #minimum: SlidingMinimum;
  readonly #average: MovingAverage;
  #held = 1;
  #at = 0;
  #pending = 0;

  constructor({ sampleRate, gain = 1, ceiling = -1 }: LimiterOptions) {
    const window = Math.max(1, Math.round(sampleRate * LOOK_AHEAD));
    this.#gain = gain;
    this.#ceiling = fromDecibels(ceiling);
    this.#delay = new Float32Array(window - 1);
    this.#release = 1 - Math.exp(-1 / (RELEASE * sampleRate));
    this.#minimum = new SlidingMinimum(window);
    this.#average = new MovingAverage(window);
  }

  /** Output for the samples so far, but for the look-ahead's last. */
  process(samples: Float32Array): Float32Array {
    const louder = amplified(samples, this.#gain);
    // Most speech never reaches the ceiling, and passing it on is all that the rest would come to.
    return this.#isAtRest() && isWithin(louder, this.#ceiling) ? this.#pass(louder) : this.#limit(louder);
  }

  /** Nothing that is still in the look-ahead, and no release, changes what comes. */
  #isAtRest(): boolean {
    return this.#held === 1 && this.#average.isAllOnes();
  }

  /** What `#limit` does to samples that need no limiting, a block at a time. */
  #pass(samples: Float32Array): Float32Array {
    const size = this.#delay.length;
    const all = new Float32Array(this.#pending + samples.length);
    for (let i = 0; i < this.#pending; i++)
      all[i] = this.#delay[(this.#at + size - this.#pending + i) % size]!;
    all.set(samples, this.#pending);
    this.#pending = Math.min(size, all.length);
    this.#delay.set(all.subarray(all.length - this.#pending), size - this.#pending);
    this.#at = 0;
    return all.subarray(0, all.length - this.#pending);
  }

  #limit(samples: Float32Array): Float32Array {
    const early = Math.max(0, this.#delay.length - this.#pending);
    const output = new Float32Array(Math.max(0, samples.length - early));
    for (let i = 0; i < samples.length; i++) {
      const sample = this.#step(samples[i]!);
      if (i >= early) output[i - early] = sample;
    }
    this.#pending = Math.min(this.#delay.length, this.#pending + samples.length);
    return output;
  }

  /** The rest; in all as many samples come out as went in. */
  finish(): Float32Array {
    const rest = this.process(new Float32Array(this.#delay.length));
    const output = rest.subarray(rest.length - Math.min(rest.length, this.#pending));
    this.#pending = 0;
    return output;
  }

  /** Takes a sample, gives the one that came `delay` samples before. */
  #step(sample: number): number {
    const magnitude = Math.abs(sample);
    const needed = this.#minimum.next(magnitude > this.#ceiling ? this.#ceiling / magnitude : 1);
    const risen = this.#held + (1 - this.#held) * this.#release;
    this.#held = Math.min(needed, risen > UNITY ? 1 : risen);
    const factor = this.#average.next(this.#held);
    return this.#clamp(this.#delayed(sample) * factor);
  }

  /** Rounding of the average and to 32 bits may exceed the ceiling by its last bit. */
  #clamp(sample: number): number {
    return Math.max(-this.#ceiling, Math.min(this.#ceiling, sample));
  }

  #delayed(sample: number): number {
    if (this.#delay.length === 0) return sample;
    const old = this.#delay[this.#at]!;
    this.#delay[this.#at] = sample;
    this.#at = (this.#at + 1) % this.#delay.length;
    return old;
  }
}

/** A loop, as `map` with its call per sample takes five times as long. */
function amplified(samples: Float32Array, gain: number): Float32Array {
  const louder = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) louder[i] = samples[i]! * gain;
  return louder;
}

function isWithin(samples: Float32Array, ceiling: number): boolean {
  for (let i = 0; i < samples.length; i++) if (Math.abs(samples[i]!) > ceiling) return false;
  return true;
}

/** Least of the last `window` values, in constant time each: a queue that only ever holds rising values. */
class SlidingMinimum {
  readonly #values: Float64Array;
  readonly #expiry: Float64Array;
  #head = 0;
  #length = 0;
  #now = 0;

  constructor(private readonly window: number) {
    this.#values = new Float64Array(window);
    this.#expiry = new Float64Array(window);
  }

  next(value: number): number {
    if (this.#length > 0 && this.#expiry[this.#head]! <= this.#now) this.#dropFirst();
    while (this.#length > 0 && this.#values[this.#slot(this.#length - 1)]! >= value) this.#length--;
    const slot = this.#slot(this.#length++);
    this.#values[slot] = value;
    this.#expiry[slot] = this.#now++ + this.window;
    return this.#values[this.#head]!;
  }

  #slot(place: number): number {
    return (this.#head + place) % this.window;
  }

  #dropFirst(): void {
    this.#head = (this.#head + 1) % this.window;
    this.#length--;
  }
}

/** Mean of the last `window` values; those before the first count as 1. Exactly 1 while all of them are. */
class MovingAverage {
  readonly #values: Float64Array;
  #sum: number;
  #at = 0;
  /** How many values have been 1 in a row. */
  #ones: number;

  constructor(window: number) {
    this.#values = new Float64Array(window).fill(1);
    this.#sum = window;
    this.#ones = window;
  }

  isAllOnes(): boolean {
    return this.#ones >= this.#values.length;
  }

  next(value: number): number {
    const window = this.#values.length;
    this.#sum += value - this.#values[this.#at]!;
    this.#values[this.#at] = value;
    this.#at = (this.#at + 1) % window;
    this.#ones = value === 1 ? this.#ones + 1 : 0;
    // Starting afresh here keeps rounding errors from adding up.
    if (this.#ones >= window) this.#sum = window;
    return this.#sum / window;
  }
}
