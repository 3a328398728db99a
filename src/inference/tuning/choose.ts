import type { Measured } from './measure.js';

/** Less than this is not worth another setting, however sure it is. */
const LEAST_GAIN = 0.02;

/** On a machine that is busier than this with something else, nothing is measured. */
const LARGEST_NOISE = 0.15;

export interface Choice {
  /** Of the settings. */
  index: number;
  /** How much the first setting differed from itself within a round, at most: 0.05 is five per cent. */
  noise: number;
  /** Throughput of every setting as a multiple of the first's: the median over the rounds. */
  gains: number[];
  /** False where the machine was too busy to tell: the first setting is chosen then, and it is worth trying again. */
  settled: boolean;
}

/**
 * The setting to use: the first, unless another is faster in every round and, at the median, by more than the noise.
 * Each round compares a setting only with what the first gave in that round.
 */
export function chooseSetting({ rounds, again }: Measured): Choice {
  const usual = rounds[0]!.map(({ throughput }, round) => (throughput + again[round]!.throughput) / 2);
  const noise = Math.max(
    ...rounds[0]!.map(
      ({ throughput }, round) => Math.abs(throughput - again[round]!.throughput) / usual[round]!,
    ),
  );
  const relative = rounds.map((all) => all.map(({ throughput }, round) => throughput / usual[round]!));
  const gains = [1, ...relative.slice(1).map(median)];
  const least = 1 + Math.max(noise, LEAST_GAIN);
  const settled = noise <= LARGEST_NOISE;
  const index = gains.reduce((best, gain, candidate) => {
    const isSure = settled && gain > least && relative[candidate]!.every((one) => one > 1);
    return isSure && gain > gains[best]! ? candidate : best;
  }, 0);
  return { index, noise, gains, settled };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
