import type { Connection } from './connection.js';
import { isTrouble } from './faults.js';

/** One piece of work that waits for its transaction, and whoever waits for it. */
interface Entry {
  work: () => unknown;
  durable: boolean;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

type Outcome = { value: unknown } | { error: unknown };

/** Enough that a burst shares few disk waits, few enough that the event loop breathes in between. */
const LARGEST_GROUP = 128;

/**
 * Puts everything that is written in one turn of the event loop into one transaction, and so one wait for the disk.
 * Each piece of work runs in a savepoint: what throws is undone alone. All are answered after the commit, in order;
 * when the commit fails, nothing of the group was written and all are refused.
 */
export class GroupCommit {
  readonly #connection: Connection;
  #waiting: Entry[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** `durable` work is on the disk when its promise resolves; other work may be lost when the power fails. */
  write<T>(work: () => T, durable = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, durable, resolve, reject });
      this.#scheduled ??= setImmediate(() => this.#commitNext());
    });
  }

  /** Commits what waits, now. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commitNext();
  }

  #commitNext(): void {
    clearImmediate(this.#scheduled);
    const group = this.#waiting.splice(0, LARGEST_GROUP);
    this.#scheduled = this.#waiting.length > 0 ? setImmediate(() => this.#commitNext()) : undefined;
    const outcomes = this.#commit(group);
    group.forEach((entry, index) => answer(entry, outcomes[index]!));
  }

  #commit(group: Entry[]): Outcome[] {
    try {
      const durable = group.some((entry) => entry.durable);
      return this.#connection.transaction(() => group.map((entry) => this.#attempt(entry)), durable);
    } catch (error) {
      return group.map(() => ({ error }));
    }
  }

  /** A refusal is the entry's own; a failing disk is everybody's, because SQLite may have undone the group. */
  #attempt(entry: Entry): Outcome {
    try {
      return { value: this.#connection.transaction(entry.work) };
    } catch (error) {
      if (!this.#connection.inTransaction || isTrouble((error as Error).cause)) throw error;
      return { error };
    }
  }
}

function answer(entry: Entry, outcome: Outcome): void {
  if ('error' in outcome) entry.reject(outcome.error);
  else entry.resolve(outcome.value as never);
}
