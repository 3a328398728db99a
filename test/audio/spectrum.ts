/** Comparing audio the way an ear would: by energies in bands over time, not by samples. */

export interface Comparison {
  /** Milliseconds by which the second signal is late. */
  lag: number;
  /** Mean difference in decibels over all bands and frames, once the lag is taken out. */
  difference: number;
}

const MILLISECONDS = 0.001;
const REACH = 150;
/** What lies further under the loudest band is not heard. */
const AUDIBLE_RANGE = 60;

export function compare(a: Float32Array, b: Float32Array, rate: number): Comparison {
  const lag = lagOf(a, b, rate);
  const shift = Math.round(lag * MILLISECONDS * rate);
  const [x, y] = shift >= 0 ? [a, b.subarray(shift)] : [a.subarray(-shift), b];
  return { lag, difference: meanDifference(bandLevels(x, rate), bandLevels(y, rate)) };
}

/** Milliseconds by which the loudness curve of `b` is late against that of `a`, by their cross-correlation. */
export function lagOf(a: Float32Array, b: Float32Array, rate: number): number {
  const [x, y] = [envelope(a, rate), envelope(b, rate)];
  const scores = Array.from({ length: 2 * REACH + 1 }, (_, i) => correlation(x, y, i - REACH));
  const best = scores.indexOf(Math.max(...scores));
  const [left, middle, right] = [scores[best - 1] ?? 0, scores[best]!, scores[best + 1] ?? 0];
  return best - REACH + (left - right) / (2 * (left - 2 * middle + right) || 1);
}

/** RMS over 20 ms, once a millisecond. */
function envelope(samples: Float32Array, rate: number): Float64Array {
  const sums = new Float64Array(samples.length + 1);
  samples.forEach((sample, i) => (sums[i + 1] = sums[i]! + sample * sample));
  const frames = Math.max(0, Math.floor(samples.length / rate / MILLISECONDS) - 20);
  return Float64Array.from({ length: frames }, (_, frame) => {
    const [from, to] = [frame, frame + 20].map((at) => Math.round(at * MILLISECONDS * rate)) as [
      number,
      number,
    ];
    return Math.sqrt(Math.max(0, sums[to]! - sums[from]!));
  });
}

function correlation(x: Float64Array, y: Float64Array, shift: number): number {
  let [product, energyX, energyY] = [0, 1e-12, 1e-12];
  for (let i = 0; i < x.length; i++) {
    const other = y[i + shift] ?? 0;
    product += x[i]! * other;
    energyX += x[i]! ** 2;
    energyY += other ** 2;
  }
  return product / Math.sqrt(energyX * energyY);
}

/** Decibels of 20 bands between 100 Hz and 0.4 × rate (at most 8 kHz), over frames of about 30 ms. */
function bandLevels(samples: Float32Array, rate: number): number[][] {
  const size = 2 ** Math.round(Math.log2(rate * 0.03));
  const [low, high] = [100, Math.min(8000, rate * 0.4)];
  const edges = Array.from({ length: 21 }, (_, i) => (low * (high / low) ** (i / 20) * size) / rate);
  const frames: number[][] = [];
  for (let at = 0; at + size <= samples.length; at += size / 2) {
    const power = powerSpectrum(samples.subarray(at, at + size));
    frames.push(edges.slice(1).map((edge, i) => decibels(meanBetween(power, edges[i]!, edge))));
  }
  return frames;
}

function meanBetween(power: Float64Array, from: number, to: number): number {
  const bins = power.subarray(Math.round(from), Math.max(Math.round(from) + 1, Math.round(to)));
  return bins.reduce((sum, value) => sum + value, 0) / bins.length;
}

function decibels(power: number): number {
  return 10 * Math.log10(power + 1e-12);
}

function meanDifference(a: number[][], b: number[][]): number {
  const floor = Math.max(...a.flat()) - AUDIBLE_RANGE;
  const frames = Math.min(a.length, b.length);
  let sum = 0;
  for (let frame = 0; frame < frames; frame++) {
    a[frame]!.forEach((level, band) => {
      sum += Math.abs(Math.max(level, floor) - Math.max(b[frame]![band]!, floor));
    });
  }
  return sum / (frames * a[0]!.length);
}

/** Power in each bin up to half the rate, under a Hann window; the length must be a power of 2. */
export function powerSpectrum(samples: Float32Array): Float64Array {
  const size = samples.length;
  const re = Float64Array.from(
    samples,
    (sample, i) => sample * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size)),
  );
  const im = new Float64Array(size);
  transform(re, im);
  return Float64Array.from({ length: size / 2 }, (_, i) => (re[i]! ** 2 + im[i]! ** 2) / size);
}

/** Fourier transform in place, radix 2, decimation in frequency; the result is put in order at the end. */
function transform(re: Float64Array, im: Float64Array): void {
  for (let half = re.length / 2; half >= 1; half /= 2) {
    for (let start = 0; start < re.length; start += 2 * half) {
      for (let k = 0; k < half; k++) butterfly(re, im, start + k, start + k + half, (-Math.PI * k) / half);
    }
  }
  for (let i = 0, j = 0; i < re.length; i++) {
    if (i < j) swap(re, im, i, j);
    let bit = re.length / 2;
    while (bit >= 1 && j & bit) {
      j ^= bit;
      bit /= 2;
    }
    j |= bit;
  }
}

function butterfly(re: Float64Array, im: Float64Array, a: number, b: number, angle: number): void {
  const [r, i] = [re[a]! - re[b]!, im[a]! - im[b]!];
  re[a]! += re[b]!;
  im[a]! += im[b]!;
  re[b] = r * Math.cos(angle) - i * Math.sin(angle);
  im[b] = r * Math.sin(angle) + i * Math.cos(angle);
}

function swap(re: Float64Array, im: Float64Array, a: number, b: number): void {
  [re[a], re[b]] = [re[b]!, re[a]!];
  [im[a], im[b]] = [im[b]!, im[a]!];
}

/** Pitch in hertz between 60 and 400, by the highest peak of the autocorrelation. */
export function pitchOf(samples: Float32Array, rate: number): number {
  const score = (lag: number) => {
    let sum = 0;
    for (let i = 0; i + lag < samples.length; i++) sum += samples[i]! * samples[i + lag]!;
    return sum / (samples.length - lag);
  };
  const [shortest, longest] = [Math.floor(rate / 400), Math.ceil(rate / 60)];
  const scores = Array.from({ length: longest + 2 }, (_, lag) =>
    lag < shortest - 1 ? -Infinity : score(lag),
  );
  const highest = Math.max(...scores.slice(shortest));
  // The first peak that is nearly as high as the highest: multiples of the period score as well as itself.
  const best = scores.findIndex(
    (value, lag) => lag >= shortest && value > 0.9 * highest && value >= scores[lag + 1]!,
  );
  const [left, middle, right] = [scores[best - 1]!, scores[best]!, scores[best + 1]!];
  return rate / (best + (left - right) / (2 * (left - 2 * middle + right)));
}

/**
 * The resonance nearest to `hertz`, within a third of it: the peak of the mean spectrum, smoothed over the distance of
 * two harmonics of a voice that should glide, so that its harmonics do not hide the envelope.
 */
export function formantNear(samples: Float32Array, rate: number, hertz: number, smoothing: number): number {
  const size = 4096;
  const mean = new Float64Array(size / 2);
  for (let at = 0; at + size <= samples.length; at += size / 4) {
    powerSpectrum(samples.subarray(at, at + size)).forEach((power, bin) => (mean[bin]! += power));
  }
  const bin = rate / size;
  const level = (centre: number) => {
    let sum = 0;
    let weights = 0;
    for (let i = Math.ceil((centre - smoothing) / bin); i * bin < centre + smoothing; i++) {
      const weight = 1 - Math.abs(i * bin - centre) / smoothing;
      sum += weight * (mean[i] ?? 0);
      weights += weight;
    }
    return sum / weights;
  };
  const grid = Array.from({ length: Math.floor(hertz / 15) }, (_, i) => hertz * 0.67 + i * 10);
  const peaks = grid.filter((f) => level(f) > level(f - 10) && level(f) >= level(f + 10));
  return peaks.reduce((near, f) => (Math.abs(f - hertz) < Math.abs(near - hertz) ? f : near), Infinity);
}
