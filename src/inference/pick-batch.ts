/** A segment that waits for a lane, as far as planning is concerned. */
export interface Waiting {
  /** Rows of one batch speak with one voice. */
  voice: string;
  priority: 'interactive' | 'batch';
  /** When its user's turn begins, in the virtual time of `FairClock`. */
  stamp: number;
  /** Order of arrival; breaks ties, so that planning is deterministic. */
  sequence: number;
  /** What computing it costs: its length in ids. */
  cost: number;
  /** Its audio is wanted in pieces: it runs by itself. */
  alone: boolean;
}

export interface BatchLimits {
  /** Most rows of a batch. */
  rows: number;
  /** Most ids of a batch, padding included: rows × the longest row. A single row may exceed it. */
  paddedCost: number;
  /** Most of a batch that may be padding, 0 … 1. */
  waste: number;
}

/**
 * Of so many batches in a row, one serves those whom nobody waits for first: callers who wait go first, but cannot
 * keep the others from ever being served.
 */
export const TURNS = 8;

/**
 * Which of the waiting segments run next, together. The head is the first in order: interactive before batch (but
 * for every eighth turn), then by stamp, then by arrival. Its batch is filled, in the same order, with segments of
 * the same voice that keep the padded cost and the share of padding within the limits.
 *
 * Pure: the same arguments give the same answer. Answers [] only when nothing waits.
 */
export function pickBatch<Entry extends Waiting>(
  waiting: Iterable<Entry>,
  limits: BatchLimits,
  turn: number,
): Entry[] {
  const before = orderOf(turn);
  const head = first(waiting, before);
  if (!head) return [];
  if (head.alone || limits.rows <= 1) return [head];
  const batch = Batch.of([head], limits);
  const others = [...waiting].filter((entry) => entry !== head && entry.voice === head.voice && !entry.alone);
  for (const entry of others.sort(before)) batch.add(entry);
  return batch.rows;
}

type Order = (a: Waiting, b: Waiting) => number;

function orderOf(turn: number): Order {
  const preferred = turn % TURNS === TURNS - 1 ? 'batch' : 'interactive';
  const rank = ({ priority }: Waiting): number => (priority === preferred ? 0 : 1);
  return (a, b) => rank(a) - rank(b) || a.stamp - b.stamp || a.sequence - b.sequence;
}

/** Whether `entry` would be this turn's head rather than `head`. */
export function goesBefore(entry: Waiting, head: Waiting, turn: number): boolean {
  return orderOf(turn)(entry, head) < 0;
}

function first<Entry extends Waiting>(waiting: Iterable<Entry>, before: Order): Entry | undefined {
  let best: Entry | undefined;
  for (const entry of waiting) if (!best || before(entry, best) < 0) best = entry;
  return best;
}

/** Whether a batch may take this entry besides. */
export function fitsInto(batch: readonly Waiting[], entry: Waiting, limits: BatchLimits): boolean {
  const [head] = batch;
  if (!head || head.alone || entry.alone || entry.voice !== head.voice) return false;
  return Batch.of(batch, limits).fits(entry);
}

/** Rows that are collected as long as they fit each other. */
class Batch<Entry extends Waiting> {
  readonly rows: Entry[] = [];
  #longest = 0;
  #cost = 0;

  private constructor(private readonly limits: BatchLimits) {}

  static of<Entry extends Waiting>(rows: readonly Entry[], limits: BatchLimits): Batch<Entry> {
    const batch = new Batch<Entry>(limits);
    for (const row of rows) batch.#push(row);
    return batch;
  }

  add(entry: Entry): void {
    if (this.fits(entry)) this.#push(entry);
  }

  fits(entry: Waiting): boolean {
    const longest = Math.max(this.#longest, entry.cost);
    const padded = longest * (this.rows.length + 1);
    const { rows, paddedCost, waste } = this.limits;
    const share = 1 - (this.#cost + entry.cost) / padded;
    return this.rows.length < rows && padded <= paddedCost && share <= waste;
  }

  #push(entry: Entry): void {
    this.rows.push(entry);
    this.#longest = Math.max(this.#longest, entry.cost);
    this.#cost += entry.cost;
  }
}
