import type { Job, JobChange, JobFilter, JobPage, NewJob, StoredJob } from './job.js';

/** What a user may still spend, in characters. `limit` is absent where there is none. */
export interface Quota {
  limit?: number;
  /** Spoken. */
  used: number;
  /** Accepted, not yet settled. */
  reserved: number;
}

/** Says what shall become of a job as it stands, or nothing when the moment has passed. Runs in the transaction. */
export type Decision = (job: StoredJob) => JobChange | undefined;

/** Decides about a job that may be begun, knowing what its user has left. */
export type ClaimDecision = (job: StoredJob, quota: Quota) => JobChange | undefined;

/** Jobs that are gone for their users and may be deleted. */
export interface Purgeable {
  /** Archived before, milliseconds since the epoch. */
  archivedBefore?: number;
  /** Settled, and created before. */
  createdBefore?: number;
  /** At most so many at once. */
  limit: number;
}

export interface Tally {
  ready: number;
  postponed: number;
  inProgress: number;
}

/**
 * Where jobs are kept. A job is *ready* when it is created or queued and not to be kept waiting (`notBefore`), and
 * *postponed* when it is. Ids are UUIDv7: their order is the order of acceptance, also where the clock jumps back, and
 * their time is `createdAt`.
 *
 * A promise that resolved means: written. What is accepted (`submit`) or settled has then reached the disk; a claim or
 * a postponement may be forgotten when the power fails, which only means that it is done again.
 * Errors: `job_queue_unavailable`, retryable, when the disk is full, read-only or failing: nothing was written then.
 */
export interface JobStore {
  /**
   * Accepts a job and reserves its characters. With an idempotency key that was used in the last 24 hours, gives the
   * job of that time instead. Throws `idempotency_conflict`, `quota_empty`, `quota_insufficient`, `user_not_found`.
   */
  submit(job: NewJob): Promise<{ job: StoredJob; replayed: boolean }>;

  /**
   * Changes one job, unless it was changed by another in between: compare and set on status and attempt.
   * Resolves with the changed job; with nothing where there is no such job or `decide` lets it be.
   * Settling moves the reserved characters: to used when complete, back when failed or cancelled.
   */
  change(id: string, decide: Decision): Promise<StoredJob | undefined>;

  /** The same for one ready job: the named one, or the user's oldest. */
  claim(whose: { id: string } | { user: string }, decide: ClaimDecision): Promise<StoredJob | undefined>;

  /** Queues all ready jobs of a user, or for a model, until then; how many. */
  postpone(whose: { user: string } | { model: string }, until: number): Promise<number>;

  /** Makes due jobs ready: those not to begin before `now`, or, the clock having jumped back, after `horizon`. */
  wake(now: number, horizon: number): Promise<number>;

  /** When the next postponed job is due, milliseconds since the epoch. */
  nextDue(): number | undefined;

  /** Users with ready jobs. */
  readyUsers(): string[];

  /** When the oldest ready job was accepted, milliseconds since the epoch. */
  oldestReadyAt(): number | undefined;

  inProgress(): StoredJob[];
  tally(): Tally;
  find(id: string): StoredJob | undefined;

  /** The user's jobs that are not archived, a page of them, and how many match in all. */
  list(user: string, filter: JobFilter, page: JobPage): Promise<{ jobs: Job[]; length: number }>;
  count(user: string, filter: JobFilter): Promise<number>;

  purgeable(which: Purgeable): { id: string; artifact?: string }[];
  /** Deletes settled or archived jobs for good. */
  remove(ids: string[]): Promise<void>;

  /** Writes and reads back: resolves when the store works, else throws `job_queue_unavailable`. */
  probe(): Promise<void>;
}
