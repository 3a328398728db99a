import type { AccountStore } from '../account-store.js';
import type { JobStore } from '../job-store.js';
import { Connection, type ConnectionSettings } from './connection.js';
import { SqliteAccountStore } from './sqlite-account-store.js';
import { SqliteJobStore } from './sqlite-job-store.js';

export interface SqliteSettings extends ConnectionSettings {
  /** Milliseconds since the epoch; tests set it. */
  now?: () => number;
}

/** One open database. Several processes may open it for accounts; for jobs, one: see DirectoryLock. */
export interface SqliteStore {
  jobs: JobStore;
  accounts: AccountStore;
  /** Brings the indexes of full blocks of jobs up to date, which happens by itself, too; resolves when they are. */
  pack: () => Promise<void>;
  /** Writes what waits to be written, at once; resolves when the file is closed. */
  close: () => Promise<void>;
}

/** Throws `store_corrupt`, `store_unavailable`, `store_too_new`. */
export function openSqliteStore(settings: SqliteSettings): SqliteStore {
  const now = settings.now ?? Date.now;
  const connection = new Connection(settings);
  const jobs = new SqliteJobStore(connection, now);
  return {
    jobs,
    accounts: new SqliteAccountStore(connection, now),
    pack: () => jobs.pack(),
    async close() {
      const read = jobs.close();
      connection.close();
      await read;
    },
  };
}
