import type { RowAudio } from '../../../src/inference/binding.js';

/** Largest absolute difference of two lists of audio; infinite where the lengths differ or a sample is no number. */
export function largestDifference(
  actual: Pick<RowAudio, 'samples'>[],
  expected: Pick<RowAudio, 'samples'>[],
): number {
  if (actual.length !== expected.length) return Infinity;
  return Math.max(...actual.map(({ samples }, index) => furthest(samples, expected[index]!.samples)));
}

function furthest(actual: Float32Array, expected: Float32Array): number {
  if (actual.length !== expected.length || actual.length === 0) return Infinity;
  let largest = 0;
  for (let i = 0; i < actual.length; i++) {
    const difference = Math.abs(actual[i]! - expected[i]!);
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference;
  }
  return largest;
}
