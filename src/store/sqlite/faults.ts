import Database from 'better-sqlite3';
import { isLantangError, LantangError } from '../../errors.js';

/** What SQLite's primary result codes mean to somebody who waits for the store. */
const TROUBLES: Record<string, string> = {
  SQLITE_FULL: 'its disk is full',
  SQLITE_READONLY: 'its disk is read-only',
  SQLITE_IOERR: 'its disk does not answer',
  SQLITE_CANTOPEN: 'its file cannot be opened',
  SQLITE_PERM: 'its file may not be opened',
  SQLITE_AUTH: 'its file may not be opened',
  SQLITE_BUSY: 'another process holds it',
  SQLITE_LOCKED: 'another process holds it',
  SQLITE_NOMEM: 'memory ran out',
  SQLITE_CORRUPT: 'its file is damaged',
  SQLITE_NOTADB: 'its file is damaged',
};

const RETRY_AFTER_SECONDS = 5;

/** `SQLITE_IOERR_WRITE` → `SQLITE_IOERR`. */
function primaryCode(error: unknown): string | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined;
  return error.code.split('_').slice(0, 2).join('_');
}

/** True when the file itself is at fault, not the statement: nothing of a transaction was written. */
export function isTrouble(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && code in TROUBLES;
}

/** True when a new connection may work where this one does not. */
export function needsReopening(error: unknown): boolean {
  return ['SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_CORRUPT', 'SQLITE_NOTADB'].includes(
    primaryCode(error) ?? '',
  );
}

/**
 * Troubles of the file become `job_queue_unavailable`, also those of a store that was open and cannot be opened again;
 * everything else stays what it is.
 */
export function storeError(error: unknown): unknown {
  const code = troubleOf(error);
  if (code === undefined) return error;
  const message = `The job store cannot be used: ${TROUBLES[code]}. Nothing was changed; try again later.`;
  return new LantangError('job_queue_unavailable', message, {
    context: { reason: code.slice('SQLITE_'.length).toLowerCase() },
    retryable: true,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

function troubleOf(error: unknown): string | undefined {
  if (isTrouble(error)) return primaryCode(error);
  const opening = isLantangError(error, 'store_unavailable') || isLantangError(error, 'store_corrupt');
  return opening ? (primaryCode(error.cause) ?? 'SQLITE_CANTOPEN') : undefined;
}

/** What kept the store from being opened, for the operator. */
export function openingError(file: string, error: unknown): unknown {
  const code = primaryCode(error);
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') {
    const message = `The database ${file} is damaged. Put a backup in its place, or move it away to begin anew.`;
    return new LantangError('store_corrupt', message, { cause: error });
  }
  if (error instanceof TypeError) {
    const message = `The database ${file} cannot be opened: its folder is not there.`;
    return new LantangError('store_unavailable', message, { retryable: true, cause: error });
  }
  if (code === undefined || !isTrouble(error)) return error;
  const message = `The database ${file} cannot be opened: ${TROUBLES[code]}.`;
  return new LantangError('store_unavailable', message, { retryable: true, cause: error });
}
