import { createHash } from 'node:crypto';
import { LantangError } from '../../errors.js';
import type { NewJob } from '../job.js';
import type { Connection } from './connection.js';

const KEPT_MILLISECONDS = 24 * 3600 * 1000;

interface KeyRow {
  digest: Buffer;
  job: number;
}

/** Idempotency keys: who sends the same job under the same key within 24 hours gets the same job. */
export class Idempotency {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The row of the job that the key stands for already. Throws `idempotency_conflict` when it was another job. */
  earlier(user: number, { idempotencyKey: key, ...asked }: NewJob, now: number): number | undefined {
    if (key === undefined) return undefined;
    const row = this.#connection.get<KeyRow>(
      'SELECT digest, job FROM idempotency WHERE user = ? AND key = ? AND expires_at > ?',
      user,
      key,
      now,
    );
    if (row && !row.digest.equals(digestOf(asked))) throw conflict(key);
    return row?.job;
  }

  remember(user: number, { idempotencyKey: key, ...asked }: NewJob, job: number, now: number): void {
    if (key === undefined) return;
    this.#connection.run(
      'INSERT OR REPLACE INTO idempotency (user, key, digest, job, expires_at) VALUES (?, ?, ?, ?, ?)',
      user,
      key,
      digestOf(asked),
      job,
      now + KEPT_MILLISECONDS,
    );
  }

  forgetExpired(now: number): void {
    this.#connection.run('DELETE FROM idempotency WHERE expires_at <= ?', now);
  }
}

/** What was asked, whatever the order of its fields. */
function digestOf(asked: Omit<NewJob, 'idempotencyKey'>): Buffer {
  const text = JSON.stringify(asked, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest();
}

function conflict(key: string): LantangError {
  return new LantangError(
    'idempotency_conflict',
    'This idempotency key was used for another request in the last 24 hours: send a new key with a new request.',
    { context: { idempotency_key: key } },
  );
}
