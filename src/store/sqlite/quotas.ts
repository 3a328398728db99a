import { LantangError } from '../../errors.js';
import type { Quota } from '../job-store.js';
import type { JobStatus } from '../job.js';
import type { Connection } from './connection.js';

interface QuotaRow {
  quota: number | null;
  used: number;
  reserved: number;
}

/** What users may spend, in the transactions of their jobs. Users are named by their row's id here. */
export class Quotas {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  of(user: number): Quota {
    const row = this.#connection.get<QuotaRow>('SELECT quota, used, reserved FROM users WHERE id = ?', user);
    const { quota, used, reserved } = row!;
    return { ...(quota !== null && { limit: quota }), used, reserved };
  }

  /** Sets characters aside for a job. Throws `quota_empty`, `quota_insufficient`. */
  reserve(user: number, characters: number): void {
    const sql = `UPDATE users SET reserved = reserved + ?
      WHERE id = ? AND (quota IS NULL OR quota - used - reserved >= ?)`;
    const { changes } = this.#connection.run(sql, characters, user, characters);
    if (changes === 0) admit(this.of(user), characters);
  }

  /** What was set aside is spent when the job is complete, and given back when it failed or was cancelled. */
  settle(user: number, characters: number, status: JobStatus): void {
    const spent = status === 'complete' ? characters : 0;
    this.#connection.run(
      'UPDATE users SET reserved = reserved - ?, used = used + ? WHERE id = ?',
      characters,
      spent,
      user,
    );
  }
}

/** Passes when what is left is enough. Throws `quota_empty`, `quota_insufficient`. */
export function admit({ limit, used, reserved }: Quota, required: number): void {
  if (limit === undefined) return;
  const current = limit - used - reserved;
  if (current <= 0) throw new LantangError('quota_empty', 'The quota of characters is used up.');
  if (required <= current) return;
  throw new LantangError(
    'quota_insufficient',
    `The text needs ${required} characters of the quota, and ${current} are left.`,
    { context: { current, required } },
  );
}
