import { LantangError } from '../errors.js';
import { isSettled, type JobFilter, type JobPage, type NewJob, type StoredJob } from '../store/job.js';
import type { Tally } from '../store/job-store.js';
import type { Job, Jobs } from './job.js';
import { step } from './machine.js';
import { Runner, type RunnerParts, type RunnerSettings } from './runner.js';
import { systemTime, type Time } from './time.js';
import { Waiters } from './waiters.js';

export interface JobQueueParts extends Omit<RunnerParts, 'waiters' | 'time'> {
  time?: Time;
}

/** Stored jobs that have not settled. */
export interface JobBacklog extends Tally {
  /** When the oldest of the ready ones was accepted, milliseconds since the epoch. */
  oldestReadyAt?: number;
}

/** The room's front door: accepts jobs, tells of them, and runs them from `start` to `stop`. */
export class JobQueue implements Jobs {
  readonly #parts: Omit<RunnerParts, 'waiters'>;
  readonly #waiters: Waiters;
  readonly #runner: Runner;
  #draining = false;

  constructor(parts: JobQueueParts, settings: RunnerSettings) {
    this.#parts = { ...parts, time: parts.time ?? systemTime };
    this.#waiters = new Waiters(this.#parts.time);
    this.#runner = new Runner({ ...this.#parts, waiters: this.#waiters }, settings);
  }

  /** Takes up what an earlier process left in the middle, and begins. */
  start(): Promise<void> {
    return this.#runner.start();
  }

  /** Accepts no more, gives jobs in flight so long to end, and puts back the rest. */
  stop(limit: { milliseconds: number }): Promise<void> {
    this.#draining = true;
    return this.#runner.stop(limit);
  }

  async submit(wanted: NewJob): Promise<Job> {
    if (this.#draining) throw draining();
    const { job, replayed } = await this.#parts.store.submit(wanted);
    if (replayed) return job;
    if (wanted.config.wait) this.#waiters.expect(job);
    this.#runner.accepted(job);
    return job;
  }

  async settled(id: string, milliseconds: number, signal?: AbortSignal): Promise<Job> {
    const job = this.#found(id);
    if (isSettled(job.status)) return job;
    return (await this.#waiters.wait(id, milliseconds, signal)) ?? this.#found(id);
  }

  get(user: string, id: string): Job {
    const job = this.#parts.store.find(id);
    if (!job || job.user !== user || job.archivedAt !== undefined) throw unknownJob(id);
    return job;
  }

  list(user: string, filter: JobFilter, page: JobPage): Promise<{ jobs: Job[]; length: number }> {
    return this.#parts.store.list(user, filter, page);
  }

  count(user: string, filter: JobFilter): Promise<number> {
    return this.#parts.store.count(user, filter);
  }

  async archive(user: string, id: string): Promise<Job> {
    const { store, time } = this.#parts;
    const archived = await store.change(id, (job) =>
      job.user === user ? step(job, { kind: 'archive' }, time.now()) : undefined,
    );
    if (!archived) throw this.#whyNotArchived(user, id);
    this.#waiters.tell(archived);
    // What has not begun is cancelled by being archived; a job that had settled before stays what it was.
    if (archived.status === 'cancelled') this.#parts.onSettled?.(archived);
    return archived;
  }

  sizeOf(artifact: string): number | undefined {
    const result = this.#parts.store.find(artifact.slice(0, artifact.indexOf('.')))?.result;
    return result?.artifact === artifact ? result.size : undefined;
  }

  times(id: string): Record<string, number> | undefined {
    return this.#runner.times(id);
  }

  /** For metrics. */
  backlog(): JobBacklog {
    const oldestReadyAt = this.#parts.store.oldestReadyAt();
    return { ...this.#parts.store.tally(), ...(oldestReadyAt !== undefined && { oldestReadyAt }) };
  }

  #found(id: string): StoredJob {
    const job = this.#parts.store.find(id);
    if (!job) throw unknownJob(id);
    return job;
  }

  #whyNotArchived(user: string, id: string): LantangError {
    const { status } = this.get(user, id);
    return new LantangError(
      'job_cancellation_failure',
      `The job is ${status}, and a running job cannot be cancelled: archive it when it has settled.`,
      { context: { job_id: id } },
    );
  }
}

function unknownJob(id: string): LantangError {
  return new LantangError('job_not_found', `There is no job "${id}".`, { context: { job_id: id } });
}

function draining(): LantangError {
  return new LantangError('service_draining', 'The service is stopping: submit the text again in a moment.', {
    retryable: true,
    retryAfterSeconds: 5,
  });
}
