/** Jobs' numbers fall into blocks of so many: [0, BLOCK), [BLOCK, 2 BLOCK), … */
export const BLOCK = 4096;

const WORDS = BLOCK / 32;
const BITMAP_BYTES = BLOCK / 8;

/** Which jobs of one block, a bit each: job `i` of the block is bit `i % 32` of word `⌊i / 32⌋`. */
export type Bitmap = Uint32Array;

export interface SeqWindow {
  offset: number;
  limit: number;
  descending: boolean;
}

/** A set of jobs by their numbers (`seq`), which takes half a kilobyte for 4,096 neighbours and counts them quickly. */
export class SeqSet {
  readonly #blocks = new Map<number, Bitmap>();

  add(seq: number): void {
    const bitmap = this.#blocks.get(blockOf(seq)) ?? emptyBitmap();
    mark(bitmap, seq % BLOCK);
    this.#blocks.set(blockOf(seq), bitmap);
  }

  /** Puts the members of one block. */
  put(block: number, bitmap: Bitmap): void {
    this.#blocks.set(block, bitmap);
  }

  has(seq: number): boolean {
    const bitmap = this.#blocks.get(blockOf(seq));
    return bitmap !== undefined && isMarked(bitmap, seq % BLOCK);
  }

  get length(): number {
    let length = 0;
    for (const bitmap of this.#blocks.values()) length += population(bitmap);
    return length;
  }

  /** The members from the `offset`th on, in their order or the opposite one. Whole blocks are skipped by their counts. */
  window({ offset, limit, descending }: SeqWindow): number[] {
    const blocks = [...this.#blocks.keys()].sort((a, b) => (descending ? b - a : a - b));
    const found: number[] = [];
    let skip = offset;
    for (const block of blocks) {
      if (found.length === limit) break;
      const bitmap = this.#blocks.get(block)!;
      const count = population(bitmap);
      if (skip < count) {
        const members = membersOf(bitmap).map((position) => block * BLOCK + position);
        if (descending) members.reverse();
        found.push(...members.slice(skip, skip + limit - found.length));
      }
      skip = Math.max(0, skip - count);
    }
    return found;
  }

  all(): number[] {
    return this.window({ offset: 0, limit: Infinity, descending: false });
  }
}

export function blockOf(seq: number): number {
  return Math.floor(seq / BLOCK);
}

/**
 * Members of a block as they are stored: their bitmap, or where that is shorter the list of their positions in
 * rising order, two bytes each; both little-endian.
 */
export function encodePositions(positions: readonly number[]): Uint8Array {
  if (positions.length * 2 < BITMAP_BYTES) return new Uint8Array(Uint16Array.from(positions).buffer);
  const bitmap = emptyBitmap();
  for (const position of positions) mark(bitmap, position);
  return new Uint8Array(bitmap.buffer);
}

export function encodeBitmap(bitmap: Bitmap): Uint8Array {
  return encodePositions(membersOf(bitmap));
}

export function decode(stored: Uint8Array): Bitmap {
  const bitmap = emptyBitmap();
  if (stored.length === BITMAP_BYTES) new Uint8Array(bitmap.buffer).set(stored);
  else for (let at = 0; at < stored.length; at += 2) mark(bitmap, stored[at]! | (stored[at + 1]! << 8));
  return bitmap;
}

/** Members of both. */
export function intersect(a: Bitmap, b: Bitmap): Bitmap {
  return a.map((word, index) => word & b[index]!);
}

/** Members from `first` to `last`, both inclusive, which may lie outside the block. */
export function restrict(bitmap: Bitmap, first: number, last: number): Bitmap {
  if (first <= 0 && last >= BLOCK - 1) return bitmap;
  const restricted = emptyBitmap();
  for (const position of membersOf(bitmap))
    if (position >= first && position <= last) mark(restricted, position);
  return restricted;
}

export function emptyBitmap(): Bitmap {
  return new Uint32Array(WORDS);
}

export function mark(bitmap: Bitmap, position: number): void {
  bitmap[position >>> 5]! |= 1 << (position & 31);
}

export function unmark(bitmap: Bitmap, position: number): void {
  bitmap[position >>> 5]! &= ~(1 << (position & 31));
}

function isMarked(bitmap: Bitmap, position: number): boolean {
  return (bitmap[position >>> 5]! & (1 << (position & 31))) !== 0;
}

function membersOf(bitmap: Bitmap): number[] {
  const members: number[] = [];
  bitmap.forEach((word, index) => {
    for (let rest = word; rest !== 0; rest &= rest - 1)
      members.push(index * 32 + 31 - Math.clz32(rest & -rest));
  });
  return members;
}

function population(bitmap: Bitmap): number {
  let count = 0;
  for (const word of bitmap) count += ones(word);
  return count;
}

/** How many bits of 32 are set, by adding neighbours (Warren, Hacker's Delight, 5-1). */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
