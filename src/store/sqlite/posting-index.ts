import type { Connection } from './connection.js';
import { packedBlocks, postingId, userTerm, type PackedBlock } from './postings.js';
import { BLOCK, blockOf, decode, encodeBitmap, encodePositions, unmark } from './seq-set.js';

/** Lists that one step writes: about a millisecond. */
const STEP_LISTS = 500;
const REST_MILLISECONDS = 1000;

/** Makes a block's lists, in another thread. */
export type Pack = (block: number) => Promise<PackedBlock>;

/**
 * Keeps the posting lists. A block is packed when it is full, so that a list is written once; only the lists of users'
 * jobs change later, when a job is archived.
 */
export class PostingIndex {
  readonly #connection: Connection;
  readonly #pack: Pack;
  #timer: NodeJS.Timeout | undefined;
  #packing: Promise<void> | undefined;
  #closed = false;

  constructor(connection: Connection, pack: Pack) {
    this.#connection = connection;
    this.#pack = pack;
  }

  /** Something was accepted: see soon whether a block is full. */
  wake(): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = setTimeout(() => void this.#work(), REST_MILLISECONDS);
    this.#timer.unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Forgets a job that is no longer listed. Part of the caller's transaction. */
  forget(user: number, seq: number): void {
    const block = blockOf(seq);
    if (block >= packedBlocks(this.#connection)) return;
    const id = postingId(block, userTerm(user));
    const row = this.#connection.get<{ jobs: Buffer }>('SELECT jobs FROM postings WHERE id = ?', id);
    if (!row) return;
    const listed = decode(row.jobs);
    unmark(listed, seq % BLOCK);
    this.#write(id, encodeBitmap(listed));
  }

  /** Drops the lists of blocks whose jobs are all removed. Part of the caller's transaction. */
  forgetRemoved(): void {
    const { oldest } = this.#connection.get<{ oldest: number | null }>(
      'SELECT min(seq) AS oldest FROM jobs',
    )!;
    if (oldest !== null)
      this.#connection.run('DELETE FROM postings WHERE id < ?', postingId(blockOf(oldest), 0));
  }

  /** Packs every block that is full; resolves when there is none. */
  packAll(): Promise<void> {
    this.#packing ??= this.#packFull().finally(() => (this.#packing = undefined));
    return this.#packing;
  }

  async #packFull(): Promise<void> {
    while (!this.#closed && this.#isFull(packedBlocks(this.#connection)))
      await this.#take(await this.#pack(packedBlocks(this.#connection)));
  }

  async #work(): Promise<void> {
    try {
      await this.packAll();
    } catch {
      // The disk fails, or the thread has ended. The next submit tries again; searches read the texts meanwhile.
    }
    this.#timer = undefined;
  }

  #isFull(block: number): boolean {
    return (
      this.#connection.get('SELECT 1 FROM jobs WHERE seq >= ? LIMIT 1', (block + 1) * BLOCK) !== undefined
    );
  }

  /** Writes a block's lists in steps. They count with the last one, so that half of them are never read. */
  async #take({ block, terms, ends, bytes }: PackedBlock): Promise<void> {
    for (let from = 0; from < terms.length; from += STEP_LISTS) {
      if (this.#closed) return;
      this.#connection.transaction(() => {
        for (let at = from; at < Math.min(from + STEP_LISTS, terms.length); at += 1)
          this.#write(postingId(block, terms[at]!), bytes.subarray(ends[at - 1] ?? 0, ends[at]));
      }, false);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!this.#closed) this.#connection.transaction(() => this.#finish(block), false);
  }

  /** Writes who has listed which jobs as it is now: some may have been archived since the texts were read. */
  #finish(block: number): void {
    const listed = this.#connection.all<{ user: number; seq: number }>(
      'SELECT user, seq FROM jobs WHERE seq BETWEEN ? AND ? AND archived_at IS NULL ORDER BY seq',
      block * BLOCK,
      (block + 1) * BLOCK - 1,
    );
    const byUser = new Map<number, number[]>();
    for (const { user, seq } of listed) {
      const positions = byUser.get(user);
      if (positions) positions.push(seq % BLOCK);
      else byUser.set(user, [seq % BLOCK]);
    }
    for (const [user, positions] of byUser)
      this.#write(postingId(block, userTerm(user)), encodePositions(positions));
    this.#connection.run('UPDATE postings_progress SET blocks = ?', block + 1);
  }

  #write(id: bigint, jobs: Uint8Array): void {
    this.#connection.run('INSERT OR REPLACE INTO postings (id, jobs) VALUES (?, ?)', id, jobs);
  }
}
