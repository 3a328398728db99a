/** The middle value of at least one number; of an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
  return (lower + upper) / 2;
}

/** The smallest value that at least `fraction` (0 … 1] of the values do not exceed. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? NaN;
}

export interface Spread {
  median: number;
  lowest: number;
  highest: number;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

/** `1.25 (1.22–1.27)`, or the median alone where there is one value. */
export function formatSpread({ median: middle, lowest, highest }: Spread, digits = 2): string {
  const [low, mid, high] = [lowest, middle, highest].map((value) => value.toFixed(digits));
  return low === high ? `${mid}` : `${mid} (${low}–${high})`;
}
