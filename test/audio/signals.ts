/** Test signals: speech made of glottal pulses and noise through formant filters, so that every trait is known. */

/** Uniform numbers in [0, 1), the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Resonances of a vowel in hertz. */
export const AH = [700, 1220, 2600] as const;
const BANDWIDTHS = [80, 90, 120];

export interface Vowel {
  rate: number;
  seconds: number;
  /** Pitch in hertz at the start and, when it glides, at the end. */
  from: number;
  to?: number;
  formants?: readonly number[];
  peak?: number;
}

export function vowel({ rate, seconds, from, to = from, formants = AH, peak = 0.5 }: Vowel): Float32Array {
  let samples: Float32Array = new Float32Array(Math.round(rate * seconds));
  let phase = 0;
  samples.forEach((_, i) => {
    phase += (from + ((to - from) * i) / samples.length) / rate;
    if (phase >= 1) samples[i] = 1;
    phase %= 1;
  });
  formants.forEach((formant, i) => (samples = resonate(samples, formant, BANDWIDTHS[i]!, rate)));
  return scaled(samples, peak);
}

export function noise(rate: number, seconds: number, peak: number, seed: number): Float32Array {
  const next = random(seed);
  return Float32Array.from({ length: Math.round(rate * seconds) }, () => peak * (2 * next() - 1));
}

export function silence(rate: number, seconds: number): Float32Array {
  return new Float32Array(Math.round(rate * seconds));
}

/** About two seconds of vowels of several colours and pitches, hisses and pauses, with soft edges. */
export function speech(rate: number, seed = 1): Float32Array {
  const next = random(seed);
  const colours = [AH, [300, 2200, 2900], [320, 800, 2300], [500, 1700, 2500]];
  const syllables = Array.from({ length: 8 }, (_, i) => {
    const from = 110 + 60 * next();
    const formants = colours[Math.floor(next() * colours.length)]!.map((hertz) =>
      Math.min(hertz, rate * 0.4),
    );
    return [
      noise(rate, 0.03 + 0.04 * next(), 0.05, seed + i),
      vowel({
        rate,
        seconds: 0.1 + 0.1 * next(),
        from,
        to: from * (0.8 + 0.4 * next()),
        formants,
        peak: 0.6,
      }),
      silence(rate, i % 3 === 2 ? 0.12 : 0.02),
    ];
  });
  return joined(...syllables.flat().map((part) => withSoftEdges(part, Math.round(rate * 0.008))));
}

export function joined(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Cuts a signal into pieces of random lengths up to `longest`, some of them empty. */
export function* pieces(samples: Float32Array, longest: number, seed: number): Generator<Float32Array> {
  const next = random(seed);
  for (let at = 0; at < samples.length;) {
    const length = Math.floor(next() * (longest + 1));
    yield samples.subarray(at, at + length);
    at += length;
  }
}

export function peakOf(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

/** Greatest difference between two neighbouring samples. */
export function steepest(samples: Float32Array): number {
  let step = 0;
  for (let i = 1; i < samples.length; i++) step = Math.max(step, Math.abs(samples[i]! - samples[i - 1]!));
  return step;
}

function scaled(samples: Float32Array, peak: number): Float32Array {
  const factor = peak / peakOf(samples);
  return samples.map((sample) => sample * factor);
}

/** Two-pole resonator. */
function resonate(samples: Float32Array, hertz: number, bandwidth: number, rate: number): Float32Array {
  const radius = Math.exp((-Math.PI * bandwidth) / rate);
  const turn = 2 * radius * Math.cos((2 * Math.PI * hertz) / rate);
  let [last, before] = [0, 0];
  return samples.map((sample) => {
    const value = sample + turn * last - radius * radius * before;
    [last, before] = [value, last];
    return value;
  });
}

function withSoftEdges(samples: Float32Array, length: number): Float32Array {
  return samples.map((sample, i) => sample * Math.min(1, i / length, (samples.length - 1 - i) / length));
}

/** As signed 16-bit little-endian PCM, rounded to nearest. */
export function pcmOf(samples: Float32Array): Buffer {
  const bytes = Buffer.alloc(2 * samples.length);
  samples.forEach((sample, i) => bytes.writeInt16LE(Math.round(sample * 32767), 2 * i));
  return bytes;
}

/** The samples of 16-bit PCM in [-1, 1]. */
export function samplesOf(pcm: Buffer): Float32Array {
  return Float32Array.from({ length: pcm.length / 2 }, (_, i) => pcm.readInt16LE(2 * i) / 32767);
}
