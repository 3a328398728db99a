/** Largest difference between two signals; infinite when they are not equally long. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs((a[i] ?? NaN) - (b[i] ?? NaN)));
  return largest;
}

export function joined(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** `count` samples of a sine of amplitude 0.5. */
export function sine(frequency: number, rate: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => 0.5 * Math.sin((2 * Math.PI * frequency * i) / rate));
}

export function rootMeanSquare(signal: Float32Array): number {
  return Math.sqrt(signal.reduce((sum, sample) => sum + sample * sample, 0) / signal.length);
}

export function decibels(ratio: number): number {
  return 20 * Math.log10(ratio);
}
