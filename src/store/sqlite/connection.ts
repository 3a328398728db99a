import Database from 'better-sqlite3';
import { isTrouble, needsReopening, openingError, storeError } from './faults.js';
import { migrate } from './migrate.js';
import { contains } from './fold.js';

export interface ConnectionSettings {
  /** Path of the database; made where it is absent. */
  file: string;
  /** How long to wait for another process, milliseconds. It blocks the thread, so it is short. */
  busyMilliseconds?: number;
  /** Only read; the schema is there already. */
  readOnly?: boolean;
}

type Statement = Database.Statement<unknown[], unknown>;

/** Pages in the write-ahead log before a commit writes them back to the database: 4 MB, a few milliseconds. */
const CHECKPOINT_PAGES = 1000;
/** Filled only as far as the database is large; a million jobs' indexes are about so large. */
const CACHE_MEGABYTES = 128;
const LOG_LIMIT_BYTES = 64 * 1024 * 1024;

/** What stands around a piece of work. The driver's own makes four functions for each, which costs more than they do. */
interface Bracket {
  begin: string;
  end: string;
  undo: string[];
}

const TRANSACTION: Bracket = { begin: 'BEGIN IMMEDIATE', end: 'COMMIT', undo: ['ROLLBACK'] };
const SNAPSHOT: Bracket = { ...TRANSACTION, begin: 'BEGIN' };
const SAVEPOINT: Bracket = {
  begin: 'SAVEPOINT part',
  end: 'RELEASE part',
  undo: ['ROLLBACK TO part', 'RELEASE part'],
};

/**
 * One open database: durable transactions, statements prepared once. After a failure of the disk it opens itself
 * anew before the next use, so the store works again when the disk does.
 */
export class Connection {
  readonly #settings: ConnectionSettings;
  readonly #statements = new Map<string, Statement>();
  #database: Database.Database;
  #durable = true;
  #stale = false;

  /** Throws `store_corrupt`, `store_unavailable`, `store_too_new`. */
  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#database = open(settings);
  }

  get file(): string {
    return this.#settings.file;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** All rows. Throws `job_queue_unavailable`. */
  all<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.#run(() => this.#statement(sql).all(...values) as Row[]);
  }

  get<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.#run(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  /** Number of rows changed, and the last row's number. */
  run(sql: string, ...values: unknown[]): Database.RunResult {
    return this.#run(() => this.#statement(sql).run(...values));
  }

  /** Rows one by one, for whoever needs only the first; nothing else may be asked meanwhile. */
  *iterate<Row>(sql: string, ...values: unknown[]): Generator<Row, void> {
    const rows = this.#run(() => this.#statement(sql).iterate(...values) as IterableIterator<Row>);
    try {
      for (;;) {
        const next = this.#run(() => rows.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      rows.return?.();
    }
  }

  /**
   * Runs `work` in one transaction, or in a savepoint of the one that is open. `durable` waits for the disk at the
   * end; without it the newest transactions are lost when the power fails, in order, and none is torn.
   */
  transaction<T>(work: () => T, durable = true): T {
    return this.#run(() => {
      if (this.inTransaction) return this.#within(SAVEPOINT, work);
      this.#setDurable(durable);
      return this.#within(TRANSACTION, work);
    });
  }

  /** Reads the database as it is at one moment, whatever other connections write meanwhile. */
  snapshot<T>(read: () => T): T {
    return this.#run(() => this.#within(SNAPSHOT, read));
  }

  pragma(text: string): unknown {
    return this.#run(() => this.#database.pragma(text, { simple: true }));
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.open) this.#database.close();
  }

  /** Undoes what was done when `work` or the end fails, unless SQLite has done so itself. */
  #within<T>({ begin, end, undo }: Bracket, work: () => T): T {
    this.#statement(begin).run();
    try {
      const result = work();
      this.#statement(end).run();
      return result;
    } catch (error) {
      if (this.inTransaction) for (const sql of undo) this.#statement(sql).run();
      throw error;
    }
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #setDurable(durable: boolean): void {
    if (durable === this.#durable) return;
    this.#database.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    this.#durable = durable;
  }

  #run<T>(use: () => T): T {
    try {
      if (this.#stale && !this.inTransaction) this.#reopen();
      return use();
    } catch (error) {
      if (isTrouble(error) && needsReopening(error)) this.#stale = true;
      throw storeError(error);
    }
  }

  #reopen(): void {
    this.close();
    this.#database = open(this.#settings);
    this.#durable = true;
    this.#stale = false;
  }
}

function open(settings: ConnectionSettings): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(settings.file, {
      timeout: settings.busyMilliseconds ?? 2000,
      fileMustExist: settings.readOnly ?? false,
    });
    configure(database);
    if (settings.readOnly) database.pragma('query_only = ON');
    else migrate(database);
    return database;
  } catch (error) {
    database?.close();
    throw openingError(settings.file, error);
  }
}

function configure(database: Database.Database): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('temp_store = MEMORY');
  database.pragma(`cache_size = ${-1024 * CACHE_MEGABYTES}`);
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.pragma(`journal_size_limit = ${LOG_LIMIT_BYTES}`);
  database.function(
    'contains',
    { deterministic: true, directOnly: true },
    (text: unknown, folded: unknown) => (contains(text as string, folded as string) ? 1 : 0),
  );
}
