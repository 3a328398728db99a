import type { JobChange, NewJob, StoredJob } from '../job.js';
import { idBytes, idText, lowestIdAt, type JobIds } from '../job-ids.js';
import type { Purgeable, Tally } from '../job-store.js';
import type { Connection } from './connection.js';
import { jobOf, JOB_COLUMNS, splitResult, type JobRow } from './rows.js';

const SELECT = `SELECT ${JOB_COLUMNS}, timing FROM jobs
  JOIN users ON users.id = jobs.user LEFT JOIN timings ON timings.job = jobs.seq`;
/** The partial index's own words, so that the planner sees that it holds them. */
const READY = `status IN ('created', 'queued') AND not_before IS NULL`;
const SETTLED = `status IN ('complete', 'failed', 'cancelled')`;

/** The statements on `jobs`; each is a part of somebody's transaction. Users are named by their row's id here. */
export class JobTable {
  readonly #connection: Connection;
  readonly #ids: JobIds;

  constructor(connection: Connection, ids: JobIds) {
    this.#connection = connection;
    this.#ids = ids;
  }

  static newestId(connection: Connection): string | undefined {
    const row = connection.get<{ id: Buffer }>('SELECT id FROM jobs ORDER BY seq DESC LIMIT 1');
    return row && idText(row.id);
  }

  /** The job as it would be read back, which would take time. */
  insert(user: number, { user: name, request, config, characters }: NewJob): { seq: number; job: StoredJob } {
    const { id, createdAt } = this.#ids.next();
    const { lastInsertRowid } = this.#connection.run(
      `INSERT INTO jobs (id, user, status, created_at, modified_at, characters, text, ssml, label, as_data, model, config)
       VALUES (?, ?, 'created', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      idBytes(id),
      user,
      createdAt,
      createdAt,
      characters,
      request.ssml ?? request.text ?? '',
      request.ssml === undefined ? 0 : 1,
      request.label ?? null,
      request.asData === undefined ? null : Number(request.asData),
      config.model,
      JSON.stringify(config),
    );
    const untouched = {
      status: 'created',
      modifiedAt: createdAt,
      attempt: 0,
      faults: 0,
      crashes: 0,
    } as const;
    return {
      seq: Number(lastInsertRowid),
      job: { id, user: name, createdAt, request, config, characters, ...untouched },
    };
  }

  at(seq: number): JobRow | undefined {
    return this.#connection.get<JobRow>(`${SELECT} WHERE seq = ?`, seq);
  }

  withId(id: string): JobRow | undefined {
    const bytes = idBytes(id);
    return bytes && this.#connection.get<JobRow>(`${SELECT} WHERE jobs.id = ?`, bytes);
  }

  readyWithId(id: string): JobRow | undefined {
    const bytes = idBytes(id);
    return bytes && this.#connection.get<JobRow>(`${SELECT} WHERE jobs.id = ? AND ${READY}`, bytes);
  }

  oldestReady(user: string): JobRow | undefined {
    const sql = `SELECT seq FROM jobs INDEXED BY jobs_ready
      WHERE user = (SELECT id FROM users WHERE name = ?) AND ${READY} ORDER BY seq LIMIT 1`;
    const row = this.#connection.get<{ seq: number }>(sql, user);
    return row && this.at(row.seq);
  }

  /** Compare and set on status and attempt. False when the job has moved on. */
  update(row: JobRow, job: StoredJob, change: JobChange, now: number): boolean {
    const result = change.result && splitResult(change.result);
    const { changes } = this.#connection.run(
      `UPDATE jobs SET status = ?, attempt = ?, faults = ?, crashes = ?, not_before = ?, modified_at = ?,
         result = coalesce(?, result), fault = coalesce(?, fault)
       WHERE seq = ? AND status = ? AND attempt = ?`,
      change.status,
      change.attempt ?? job.attempt,
      change.faults ?? job.faults,
      change.crashes ?? job.crashes,
      change.notBefore === undefined ? (job.notBefore ?? null) : change.notBefore,
      Math.max(now, job.modifiedAt),
      result?.facts ?? null,
      change.fault ? JSON.stringify(change.fault) : null,
      row.seq,
      job.status,
      job.attempt,
    );
    if (changes === 1 && result) this.#keepTiming(row.seq, result.timing);
    return changes === 1;
  }

  archive(seq: number, archivedAt: number): void {
    this.#connection.run('UPDATE jobs SET archived_at = ? WHERE seq = ?', archivedAt, seq);
  }

  postpone(column: 'user' | 'model', value: string | number, until: number, now: number): number {
    const sql = `UPDATE jobs SET status = 'queued', not_before = ?, modified_at = max(modified_at, ?)
      WHERE ${column} = ? AND ${READY}`;
    return this.#connection.run(sql, until, now, value).changes;
  }

  wake(now: number, horizon: number): number {
    const sql = `UPDATE jobs SET not_before = NULL
      WHERE not_before IS NOT NULL AND (not_before <= ? OR not_before > ?)`;
    return this.#connection.run(sql, now, horizon).changes;
  }

  nextDue(): number | undefined {
    const sql = 'SELECT min(not_before) AS due FROM jobs WHERE not_before IS NOT NULL';
    return this.#connection.get<{ due: number | null }>(sql)?.due ?? undefined;
  }

  readyUsers(): string[] {
    const sql = `SELECT name FROM users WHERE EXISTS
      (SELECT 1 FROM jobs INDEXED BY jobs_ready WHERE jobs.user = users.id AND ${READY})`;
    return this.#connection.all<{ name: string }>(sql).map(({ name }) => name);
  }

  inProgress(): StoredJob[] {
    return this.#connection.all<JobRow>(`${SELECT} WHERE status = 'in_progress' ORDER BY seq`).map(jobOf);
  }

  oldestReadyAt(): number | undefined {
    const sql = `SELECT created_at AS at FROM jobs
      WHERE seq = (SELECT min(seq) FROM jobs INDEXED BY jobs_ready WHERE ${READY})`;
    return this.#connection.get<{ at: number }>(sql)?.at;
  }

  tally(): Tally {
    const sql = `SELECT
      (SELECT count(*) FROM jobs WHERE ${READY}) AS ready,
      (SELECT count(*) FROM jobs WHERE not_before IS NOT NULL) AS postponed,
      (SELECT count(*) FROM jobs WHERE status = 'in_progress') AS inProgress`;
    return this.#connection.get<Tally>(sql)!;
  }

  purgeable({ archivedBefore, createdBefore, limit }: Purgeable): JobRow[] {
    const sql = `${SELECT} WHERE seq IN (
        SELECT seq FROM jobs WHERE archived_at IS NOT NULL AND archived_at < ? AND ${SETTLED}
        UNION SELECT seq FROM jobs WHERE id < ? AND ${SETTLED} LIMIT ?)`;
    const newest = lowestIdAt(createdBefore ?? 0);
    return this.#connection.all<JobRow>(sql, archivedBefore ?? 0, newest, limit);
  }

  remove(seq: number): void {
    this.#connection.run(`DELETE FROM jobs WHERE seq = ? AND ${SETTLED}`, seq);
  }

  #keepTiming(seq: number, timing: string): void {
    this.#connection.run('INSERT OR REPLACE INTO timings (job, timing) VALUES (?, ?)', seq, timing);
  }
}
