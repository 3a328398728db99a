import { bytesOf, type Segment } from './segment.js';
import type { SegmentKey } from './segment-key.js';

/** The segments that were used last, up to so many bytes of them. */
export class MemorySegments {
  /** In the order of use, which a Map keeps: what is used moves to the end. */
  readonly #segments = new Map<SegmentKey, Segment>();
  #bytes = 0;

  constructor(private readonly limit: number) {}

  get entries(): number {
    return this.#segments.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: SegmentKey): Segment | undefined {
    const segment = this.#segments.get(key);
    if (!segment) return undefined;
    this.#segments.delete(key);
    this.#segments.set(key, segment);
    return segment;
  }

  /** One that would not fit is not taken. */
  set(key: SegmentKey, segment: Segment): void {
    const size = bytesOf(segment);
    if (size > this.limit) return;
    this.#drop(key);
    for (const oldest of this.#segments.keys()) {
      if (this.#bytes + size <= this.limit) break;
      this.#drop(oldest);
    }
    this.#segments.set(key, segment);
    this.#bytes += size;
  }

  #drop(key: SegmentKey): void {
    const segment = this.#segments.get(key);
    if (!segment) return;
    this.#segments.delete(key);
    this.#bytes -= bytesOf(segment);
  }
}
