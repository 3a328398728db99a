import type { Row } from './row.js';
import type { Mark } from './tokens.js';

/** Part of a row, the symbols [from, until), and what follows it. */
export interface Piece {
  from: number;
  until: number;
  /** The mark at its end where it was cut between clauses; undefined where it was cut elsewhere. */
  mark: Mark | undefined;
  /** The row ends with it. */
  isLast: boolean;
}

/** Cuts at a clause's border stay this far from a piece's ends, as a share of it. */
const MARGIN = 0.2;

/**
 * Cuts a row into pieces of at most `limit` ids: in the middle, as near to it as there is a border between clauses,
 * else between words, else anywhere; and so on with the halves. `offsets[i]` is the number of ids before symbol i.
 */
export function cut(row: Row, from: number, until: number, offsets: Float64Array, limit: number): Piece[] {
  const pieces: Piece[] = [];
  const stack: [number, number][] = [[from, until]];
  for (let range = stack.pop(); range; range = stack.pop()) {
    const [start, end] = range;
    if (offsets[end]! - offsets[start]! <= limit || end - start <= 1) {
      pieces.push(pieceOf(row, start, end));
      continue;
    }
    const middle = cutPlace(row, start, end, offsets);
    stack.push([middle, end], [start, middle]);
  }
  return pieces;
}

function pieceOf({ symbols, borders }: Row, from: number, until: number): Piece {
  const border = borders.find(({ at }) => at === until);
  return { from, until, mark: border?.mark, isLast: until === symbols.length };
}

function cutPlace(row: Row, start: number, end: number, offsets: Float64Array): number {
  const middle = (offsets[start]! + offsets[end]!) / 2;
  const margin = (offsets[end]! - offsets[start]!) * MARGIN;
  const clauses = row.borders
    .map(({ at }) => at)
    .filter(
      (at) =>
        at > start &&
        at < end &&
        offsets[at]! - offsets[start]! > margin &&
        offsets[end]! - offsets[at]! > margin,
    );
  const words = () => indices(start + 1, end).filter((at) => row.symbols[at - 1] === ' ' && at < end);
  return (
    nearest(clauses, middle, offsets) ??
    nearest(words(), middle, offsets) ??
    nearest(indices(start + 1, end), middle, offsets)!
  );
}

function indices(from: number, until: number): number[] {
  return Array.from({ length: until - from }, (_, index) => from + index);
}

function nearest(places: readonly number[], goal: number, offsets: Float64Array): number | undefined {
  let best: number | undefined;
  for (const place of places) {
    if (best === undefined || Math.abs(offsets[place]! - goal) < Math.abs(offsets[best]! - goal))
      best = place;
  }
  return best;
}
