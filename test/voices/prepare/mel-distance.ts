/*
 * How different two recordings of equal length sound: the mean over frames of the root mean square difference of their
 * log mel spectra, in dB. 80 triangular bands on the HTK mel scale, Hann windows of 1024 samples, hops of 256: what
 * vocoders are trained on (Kong, Kim & Bae 2020).
 */
const WINDOW = 1024;
const HOP = 256;
const BANDS = 80;
/** Quieter than this is silence: −100 dB of full scale. */
const FLOOR = 1e-10;

export function melDistance(actual: Float32Array, expected: Float32Array, sampleRate: number): number {
  const filters = melFilters(sampleRate);
  let total = 0;
  let frames = 0;
  for (let start = 0; start + WINDOW <= expected.length; start += HOP, frames++) {
    const [one, other] = [actual, expected].map((samples) =>
      logMel(samples.subarray(start, start + WINDOW), filters),
    );
    const squares = one!.map((level, band) => (level - other![band]!) ** 2);
    total += Math.sqrt(squares.reduce((sum, square) => sum + square) / BANDS);
  }
  return total / frames;
}

/** dB of each band. */
function logMel(samples: Float32Array, filters: number[][]): number[] {
  const powers = powerSpectrum(samples);
  return filters.map((filter) => {
    const power = filter.reduce((sum, weight, bin) => sum + weight * powers[bin]!, 0);
    return 10 * Math.log10(Math.max(FLOOR, power));
  });
}

function melFilters(sampleRate: number): number[][] {
  const toMel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
  const toHertz = (mel: number) => 700 * (10 ** (mel / 2595) - 1);
  const most = toMel(sampleRate / 2);
  const edges = Array.from({ length: BANDS + 2 }, (_, i) => toHertz((i * most) / (BANDS + 1)));
  return Array.from({ length: BANDS }, (_, band) => {
    const [low, middle, high] = edges.slice(band, band + 3) as [number, number, number];
    return Array.from({ length: WINDOW / 2 + 1 }, (_, bin) => {
      const hertz = (bin * sampleRate) / WINDOW;
      return Math.max(0, Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle)));
    });
  });
}

/** Of the Hann-windowed samples, by a radix-2 transform (Cooley & Tukey 1965). */
function powerSpectrum(samples: Float32Array): number[] {
  const real = Float64Array.from(
    samples,
    (value, i) => value * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW)),
  );
  const [re, im] = transform(real, new Float64Array(WINDOW));
  return Array.from({ length: WINDOW / 2 + 1 }, (_, bin) => (re[bin]! ** 2 + im[bin]! ** 2) / WINDOW ** 2);
}

function transform(re: Float64Array, im: Float64Array): [Float64Array, Float64Array] {
  const size = re.length;
  if (size === 1) return [re, im];
  const half = (part: Float64Array, offset: number) => part.filter((_, i) => i % 2 === offset);
  const [evenRe, evenIm] = transform(half(re, 0), half(im, 0));
  const [oddRe, oddIm] = transform(half(re, 1), half(im, 1));
  const [outRe, outIm] = [new Float64Array(size), new Float64Array(size)];
  for (let k = 0; k < size / 2; k++) {
    const [cos, sin] = [Math.cos((2 * Math.PI * k) / size), -Math.sin((2 * Math.PI * k) / size)];
    const turnedRe = cos * oddRe[k]! - sin * oddIm[k]!;
    const turnedIm = cos * oddIm[k]! + sin * oddRe[k]!;
    outRe[k] = evenRe[k]! + turnedRe;
    outIm[k] = evenIm[k]! + turnedIm;
    outRe[k + size / 2] = evenRe[k]! - turnedRe;
    outIm[k + size / 2] = evenIm[k]! - turnedIm;
  }
  return [outRe, outIm];
}
