import type Database from 'better-sqlite3';
import { LantangError } from '../../errors.js';
import { accounts } from './migrations/0001-accounts.js';
import { jobs } from './migrations/0002-jobs.js';
import { search } from './migrations/0003-search.js';
import { postings } from './migrations/0004-postings.js';

/**
 * Every change of the schema, oldest first; a released one is never edited. They are SQL in TypeScript files, because
 * the compiler carries those to wherever the program runs (dist/, an image) and would leave .sql files behind.
 */
const MIGRATIONS: readonly string[] = [accounts, jobs, search, postings];

/** Brings the schema up to date, all or nothing. The database counts its migrations in `user_version`. */
export function migrate(database: Database.Database): void {
  if (versionOf(database) === MIGRATIONS.length) return;
  database
    .transaction(() => {
      const version = versionOf(database);
      if (version > MIGRATIONS.length) throw tooNew(version);
      for (const sql of MIGRATIONS.slice(version)) database.exec(sql);
      database.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}

function versionOf(database: Database.Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}

function tooNew(version: number): LantangError {
  return new LantangError(
    'store_too_new',
    `The database has schema version ${version}, and this program knows up to ${MIGRATIONS.length}: it was written by a newer one.`,
  );
}
