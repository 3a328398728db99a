import type { Connection } from './connection.js';
import { fold } from './fold.js';
import { ownerWord } from './needle.js';

/** Characters that one step indexes: about 5 ms. */
const STEP_CHARACTERS = 20_000;
const STEP_ROWS = 200;
/** Pages that one step merges, and steps after each of indexing: merging keeps ahead of what indexing makes. */
const MERGE_PAGES = 32;
const MERGES_A_STEP = 8;
/** Let a burst of submits pass before indexing it. */
const REST_MILLISECONDS = 100;

interface TextRow {
  seq: number;
  user: number;
  text: string;
}

/**
 * The full-text index. It is brought up to date in small steps between other work, not by every submit: FTS5 is quick
 * when it takes in many texts at once. What is left is taken in before a search, and it is little.
 */
export class SearchIndex {
  readonly #connection: Connection;
  #timer: NodeJS.Timeout | undefined;
  #merges = 0;
  #closed = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Something was accepted: index it soon. */
  wake(): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = setTimeout(() => this.#work(), REST_MILLISECONDS);
    this.#timer.unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** The last job that is in the index. */
  get #through(): number {
    return this.#connection.get<{ through: number }>(
      'SELECT indexed_through AS through FROM search_progress',
    )!.through;
  }

  /** Forgets a job that is no longer listed. Part of the caller's transaction. */
  forget(seq: number): void {
    if (seq <= this.#through) this.#connection.run('DELETE FROM search WHERE rowid = ?', seq);
  }

  /** Resolves when everything that is stored now can be found, in steps between which others get their turn. */
  async catchUp(): Promise<void> {
    const newest = this.#newest();
    while (this.#through < newest) {
      this.#connection.transaction(() => this.#indexSome(), false);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The newest listed job, 0 when there is none after those that are indexed. */
  #newest(): number {
    const sql = 'SELECT max(seq) AS newest FROM jobs WHERE seq > ? AND archived_at IS NULL';
    return this.#connection.get<{ newest: number | null }>(sql, this.#through)?.newest ?? 0;
  }

  #work(): void {
    this.#timer = undefined;
    if (this.#closed) return;
    try {
      if (this.#step()) setImmediate(() => this.#work());
    } catch {
      // The disk fails. The next submit or search tries again, and a search says so.
    }
  }

  /** One step of merging or indexing; false when there is nothing left to do. */
  #step(): boolean {
    if (this.#merges > 0) return this.#merge();
    return this.#connection.transaction(() => this.#indexSome(), false);
  }

  #indexSome(): boolean {
    const through = this.#through;
    const rows = this.#connection.all<TextRow>(
      'SELECT seq, user, text FROM jobs WHERE seq > ? AND archived_at IS NULL ORDER BY seq LIMIT ?',
      through,
      STEP_ROWS,
    );
    if (rows.length === 0) return false;
    const taken = withinStep(rows);
    for (const { seq, user, text } of taken) {
      const owner = ownerWord(user);
      this.#connection.run(
        'INSERT INTO search (rowid, owner, text) VALUES (?, ?, ?)',
        seq,
        owner,
        fold(text),
      );
    }
    this.#connection.run('UPDATE search_progress SET indexed_through = ?', taken.at(-1)!.seq);
    this.#merges = MERGES_A_STEP;
    return true;
  }

  /** Joins small parts of the index; FTS5 tells by the count of changes whether there was something to join. */
  #merge(): boolean {
    const { before } = this.#connection.get<{ before: number }>('SELECT total_changes() AS before')!;
    this.#connection.transaction(
      () => this.#connection.run(`INSERT INTO search (search, rank) VALUES ('merge', ${MERGE_PAGES})`),
      false,
    );
    const { after } = this.#connection.get<{ after: number }>('SELECT total_changes() AS after')!;
    this.#merges = after - before < 2 ? 0 : this.#merges - 1;
    return true;
  }
}

function withinStep(rows: TextRow[]): TextRow[] {
  let characters = 0;
  const end = rows.findIndex(({ text }) => (characters += text.length) > STEP_CHARACTERS);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}
