/*
 * Integrated loudness of mono speech after ITU-R BS.1770-5: K-weighting, mean square over blocks of 400 ms that
 * overlap by three quarters, an absolute gate at −70 LUFS and a relative one 10 LU under the mean of what passed it.
 */

/** What streamed speech is brought to by AES TD1008: loud enough for a phone, with headroom for speech's peaks. */
export const TARGET_LUFS = -18;
/** A gain beyond this would only amplify a fault, or silence. */
const LARGEST_GAIN = 8;

const BLOCK_SECONDS = 0.4;
const STEPS_PER_BLOCK = 4;
const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;
/** Makes a sine of 997 Hz at full scale measure −3.01. */
const CALIBRATION = -0.691;

/** Linear factor that brings samples to the target; 1 for what is silent or shorter than a block. */
export function gainToTarget(samples: Float32Array, sampleRate: number): number {
  const loudness = integratedLoudness(samples, sampleRate);
  if (loudness === -Infinity) return 1;
  return Math.min(LARGEST_GAIN, 10 ** ((TARGET_LUFS - loudness) / 20));
}

/** LUFS; −Infinity where no block passes the gates. */
export function integratedLoudness(samples: Float32Array, sampleRate: number): number {
  const blocks = blockPowers(weighted(samples, sampleRate), sampleRate);
  const audible = blocks.filter((power) => toLufs(power) > ABSOLUTE_GATE);
  if (audible.length === 0) return -Infinity;
  const gate = toLufs(mean(audible)) + RELATIVE_GATE;
  return toLufs(mean(audible.filter((power) => toLufs(power) > gate)));
}

function toLufs(power: number): number {
  return CALIBRATION + 10 * Math.log10(power);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mean square of every block. */
function blockPowers(samples: Float64Array, sampleRate: number): number[] {
  const step = Math.round((BLOCK_SECONDS / STEPS_PER_BLOCK) * sampleRate);
  const energies: number[] = [];
  for (let start = 0; start + step <= samples.length; start += step) {
    let energy = 0;
    for (const sample of samples.subarray(start, start + step)) energy += sample * sample;
    energies.push(energy);
  }
  const powers: number[] = [];
  for (let last = STEPS_PER_BLOCK; last <= energies.length; last++) {
    powers.push(mean(energies.slice(last - STEPS_PER_BLOCK, last)) / step);
  }
  return powers;
}

interface Biquad {
  b: [number, number, number];
  a: [number, number];
}

/** The ear's weighting: a shelf for the head, then a high pass. */
function weighted(samples: Float32Array, sampleRate: number): Float64Array {
  return filter(filter(Float64Array.from(samples), shelf(sampleRate)), highPass(sampleRate));
}

function filter(samples: Float64Array, { b, a }: Biquad): Float64Array {
  const output = new Float64Array(samples.length);
  let [first, second] = [0, 0];
  for (let i = 0; i < samples.length; i++) {
    const input = samples[i]!;
    const value = b[0] * input + first;
    first = b[1] * input - a[0] * value + second;
    second = b[2] * input - a[1] * value;
    output[i] = value;
  }
  return output;
}

/*
 * The standard tabulates both filters at 48 kHz only. These are the analogue prototypes behind its tables, bilinearly
 * transformed at any rate: Brecht De Man, "Evaluation of implementations of the EBU R128 loudness measurement",
 * AES 145 (2018); they give the tables' coefficients back at 48 kHz.
 */

function shelf(sampleRate: number): Biquad {
  const [frequency, decibels, quality] = [1681.974450955533, 3.999843853973347, 0.7071752369554196];
  const k = Math.tan((Math.PI * frequency) / sampleRate);
  const high = 10 ** (decibels / 20);
  const band = high ** 0.4996667741545416;
  const norm = 1 + k / quality + k * k;
  return {
    b: [
      (high + (band * k) / quality + k * k) / norm,
      (2 * (k * k - high)) / norm,
      (high - (band * k) / quality + k * k) / norm,
    ],
    a: [(2 * (k * k - 1)) / norm, (1 - k / quality + k * k) / norm],
  };
}

function highPass(sampleRate: number): Biquad {
  const [frequency, quality] = [38.13547087602444, 0.5003270373238773];
  const k = Math.tan((Math.PI * frequency) / sampleRate);
  const norm = 1 + k / quality + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / norm, (1 - k / quality + k * k) / norm] };
}
