import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeSegment, encodedBytes, encodeSegment, type Segment } from './segment.js';
import type { SegmentKey } from './segment-key.js';

interface StoredFile {
  /** Bytes of disk. */
  size: number;
  /** When its time of use was last written down, milliseconds since the epoch. */
  touched: number;
}

export interface DiskOptions {
  folder: string;
  /** Bytes of disk that the files may take. */
  limit: number;
  /** Told of the first failure after a time without any. */
  warn: (error: unknown) => void;
  /** Milliseconds since the epoch; tests set it. */
  now?: () => number;
}

const NAME = /^([0-9a-f]{64})\.segment(\.partial)?$/;
/** What a file system gives at once. */
const BLOCK = 4096;
/** Files being written at the same time; more are left out, for what is asked for often comes again. */
const MOST_WRITES = 4;
/** After a failure nothing is written for so long: a disk that is full now is full in a moment, too. */
const REST_MILLISECONDS = 60_000;
/** Between two notes of a file's use, which only a restart reads. */
const TOUCH_MILLISECONDS = 3600_000;

/**
 * Segments in files, the least recently used of which go when there is no more room. The disk owes nothing here:
 * whatever fails is as if the segment had never been stored. Files get their names when they are complete; they are
 * not forced to the disk, since one that a power cut leaves in pieces fails its checksum and is removed.
 *
 * One process at a time may use a folder.
 */
export class DiskSegments {
  readonly #options: Required<DiskOptions>;
  /** In the order of use. */
  readonly #files = new Map<SegmentKey, StoredFile>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #writing = new Set<SegmentKey>();
  #bytes = 0;
  #restUntil = -Infinity;
  #failures = 0;
  #evictions = 0;

  /** Looks through the folder, which it makes where it is absent. */
  constructor(options: DiskOptions) {
    this.#options = { now: Date.now, ...options };
    try {
      this.#takeStock();
      this.#makeRoom(0);
    } catch (error) {
      this.#failed(error);
    }
  }

  get entries(): number {
    return this.#files.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Writes and reads that failed, and files that were not whole. */
  get failures(): number {
    return this.#failures;
  }

  get evictions(): number {
    return this.#evictions;
  }

  /** Whether it is worth asking for. */
  has(key: SegmentKey): boolean {
    return this.#files.has(key);
  }

  /** The segment was used, be it from memory: it is not the next to go. */
  use(key: SegmentKey): void {
    const file = this.#files.get(key);
    if (!file) return;
    this.#files.delete(key);
    this.#files.set(key, file);
    const now = this.#options.now();
    if (now - file.touched < TOUCH_MILLISECONDS) return;
    file.touched = now;
    this.#run(utimes(this.#path(key), now / 1000, now / 1000));
  }

  async read(key: SegmentKey): Promise<Segment | undefined> {
    try {
      const segment = decodeSegment(key, await readFile(this.#path(key)));
      if (segment) return segment;
      this.#failures += 1;
    } catch (error) {
      if (!isAbsent(error)) this.#failed(error);
    }
    this.#remove(key);
    return undefined;
  }

  /** Stores it in the background, if there is none yet. */
  write(key: SegmentKey, segment: Segment): void {
    const { limit, now } = this.#options;
    const idle = this.#writing.size < MOST_WRITES && now() >= this.#restUntil;
    if (!idle || this.#files.has(key) || this.#writing.has(key)) return;
    const size = diskBytes(encodedBytes(segment));
    if (size > limit) return;
    this.#makeRoom(size);
    this.#bytes += size;
    this.#writing.add(key);
    this.#run(this.#store(key, segment, size));
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #store(key: SegmentKey, segment: Segment, size: number): Promise<void> {
    const path = this.#path(key);
    const partial = `${path}.partial`;
    try {
      await writeFile(partial, encodeSegment(key, segment));
      await rename(partial, path);
      this.#files.set(key, { size, touched: this.#options.now() });
    } catch (error) {
      this.#bytes -= size;
      this.#failed(error);
      await rm(partial, { force: true });
    } finally {
      this.#writing.delete(key);
    }
  }

  #takeStock(): void {
    const { folder } = this.#options;
    mkdirSync(folder, { recursive: true });
    const found: [SegmentKey, StoredFile][] = [];
    for (const name of readdirSync(folder)) {
      const [, key, partial] = NAME.exec(name) ?? [];
      const file = key && statSync(join(folder, name), { throwIfNoEntry: false });
      if (!file) continue;
      if (partial) rmSync(join(folder, name), { force: true });
      else found.push([key, { size: diskBytes(file.size), touched: file.mtimeMs }]);
    }
    found.sort(([, a], [, b]) => a.touched - b.touched);
    for (const [key, file] of found) {
      this.#files.set(key, file);
      this.#bytes += file.size;
    }
  }

  #makeRoom(size: number): void {
    for (const oldest of this.#files.keys()) {
      if (this.#bytes + size <= this.#options.limit) return;
      this.#evictions += 1;
      this.#remove(oldest);
    }
  }

  #remove(key: SegmentKey): void {
    this.#bytes -= this.#files.get(key)?.size ?? 0;
    this.#files.delete(key);
    this.#run(rm(this.#path(key), { force: true }));
  }

  #path(key: SegmentKey): string {
    return join(this.#options.folder, `${key}.segment`);
  }

  #run(work: Promise<void>): void {
    const ended: Promise<void> = work
      // A file that is already gone is what eviction wants, and what noting its use comes too late for.
      .catch((error: unknown) => isAbsent(error) || this.#failed(error))
      .then(() => void this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    const now = this.#options.now();
    if (now >= this.#restUntil) this.#options.warn(error);
    this.#restUntil = now + REST_MILLISECONDS;
  }
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function diskBytes(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}
