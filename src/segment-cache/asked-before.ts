import type { SegmentKey } from './segment-key.js';

/**
 * Remembers keys that were asked for, the last `capacity` of them at least and twice as many at most. Most texts are
 * spoken once and never again: only what is asked for a second time is worth the disk's work.
 */
export class AskedBefore {
  #recent = new Set<SegmentKey>();
  #older = new Set<SegmentKey>();

  constructor(private readonly capacity: number) {}

  /** Whether the key was asked for before; from now on it was. */
  note(key: SegmentKey): boolean {
    const known = this.#recent.has(key) || this.#older.has(key);
    this.#recent.add(key);
    if (this.#recent.size >= this.capacity) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    return known;
  }
}
