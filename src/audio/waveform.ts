/** The pieces end to end. */
export function concat(pieces: readonly Float32Array[]): Float32Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Samples that are there already, for whoever takes them in pieces. */
// eslint-disable-next-line @typescript-eslint/require-await -- an async iterable of one
export async function* inOnePiece(samples: Float32Array): AsyncGenerator<Float32Array> {
  yield samples;
}

/** Linear amplitude factor of a level in decibels. */
export function fromDecibels(decibels: number): number {
  return 10 ** (decibels / 20);
}

/** A copy whose first `length` samples rise from silence along half a cosine. */
export function fadeIn(samples: Float32Array, length: number): Float32Array {
  const faded = samples.slice();
  const end = Math.min(length, samples.length);
  for (let i = 0; i < end; i++) faded[i]! *= raisedCosine(i / end);
  return faded;
}

/** A copy whose last `length` samples fall to silence along half a cosine. */
export function fadeOut(samples: Float32Array, length: number): Float32Array {
  return fadeIn(samples.toReversed(), length).reverse();
}

function raisedCosine(x: number): number {
  return 0.5 - 0.5 * Math.cos(Math.PI * x);
}
