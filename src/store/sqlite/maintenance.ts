import Database from 'better-sqlite3';
import { open, rename, rm } from 'node:fs/promises';
import { LantangError } from '../../errors.js';
import { openingError } from './faults.js';

const MOST_PROBLEMS = 20;

/**
 * Copies the database as it is at this moment into a new file, also while a service writes to it; the file is there
 * whole or not at all. Throws `backup_exists`, `store_unavailable`.
 */
export async function backupSqlite(file: string, destination: string): Promise<void> {
  await refuseToOverwrite(destination);
  const partial = `${destination}.partial`;
  await rm(partial, { force: true });
  reading(file, (database) => database.prepare('VACUUM INTO ?').run(partial));
  const copy = await open(partial, 'r');
  await copy.sync();
  await copy.close();
  await rename(partial, destination);
}

/** What is wrong with the database, a sentence each; empty when it is sound. It reads every page. */
export function checkSqlite(file: string): string[] {
  try {
    return reading(file, (database) => [...damage(database), ...dangling(database)]);
  } catch (error) {
    return [(error as Error).message];
  }
}

function damage(database: Database.Database): string[] {
  const rows = database.pragma(`integrity_check(${MOST_PROBLEMS})`) as { integrity_check: string }[];
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
}

function dangling(database: Database.Database): string[] {
  const rows = database.pragma('foreign_key_check') as { table: string; parent: string }[];
  return rows
    .slice(0, MOST_PROBLEMS)
    .map(({ table, parent }) => `A row of ${table} names a row of ${parent} that is not there.`);
}

function reading<T>(file: string, use: (database: Database.Database) => T): T {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
    return use(database);
  } catch (error) {
    throw openingError(file, error);
  } finally {
    database?.close();
  }
}

async function refuseToOverwrite(destination: string): Promise<void> {
  const there = await open(destination, 'r').catch(() => undefined);
  if (!there) return;
  await there.close();
  throw new LantangError('backup_exists', `There is a file ${destination} already: name another one.`);
}
