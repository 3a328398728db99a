import Database from 'better-sqlite3';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LantangError } from '../errors.js';

/**
 * The right to be the one process that runs jobs out of a data directory. It is a lock of the operating system on a
 * file, held through SQLite: it ends with the process however that ends, so there are no stale locks and no process
 * numbers to compare.
 */
export class DirectoryLock {
  readonly #database: Database.Database;

  /** Makes the directory where it is absent. Throws `data_directory_in_use`. */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    const holder = join(directory, 'owner.pid');
    this.#database = new Database(join(directory, 'owner.lock'), { timeout: 0 });
    try {
      this.#database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      this.#database.close();
      throw inUse(directory, holder, error);
    }
    writeFileSync(holder, `${process.pid}\n`);
  }

  release(): void {
    if (this.#database.open) this.#database.close();
  }
}

function inUse(directory: string, holder: string, cause: unknown): unknown {
  if (!(cause instanceof Database.SqliteError) || cause.code !== 'SQLITE_BUSY') return cause;
  return new LantangError(
    'data_directory_in_use',
    `Another process (${processIn(holder)}) serves from ${directory}: stop it, or name another data directory.`,
    { cause },
  );
}

function processIn(holder: string): string {
  try {
    return readFileSync(holder, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
