import { isSettled, type StoredJob } from '../store/job.js';
import type { JobStore, Quota } from '../store/job-store.js';
import { attempt, attemptTimedOut, type AttemptParts, type Spoken } from './attempt.js';
import type { Log } from './log.js';
import { step, type JobEvent } from './machine.js';
import { eventOf, failureOf, OWN_TROUBLES } from './outcomes.js';
import { RecentTimes } from './recent-times.js';
import type { Time } from './time.js';
import { limitsFor, Turns, type Turn } from './turns.js';
import type { Waiters } from './waiters.js';

export interface RunnerSettings {
  /** Jobs in flight; more than lanes, so that no lane is idle while a job is joined and encoded. */
  inFlight: number;
  /** What one attempt may take; then it counts as the engine's failure. */
  attemptMilliseconds: number;
}

export interface RunnerParts extends AttemptParts {
  store: JobStore;
  waiters: Waiters;
  time: Time;
  log: Log;
  /** Told of every job that has come to its end. */
  onSettled?: (job: StoredJob) => void;
}

/** Between two looks at a store that fails. */
const STORE_REST = 1000;
/** Between two tries to store audio. */
const STORAGE_REST = 10_000;
/** How long jobs of a user over quota rest. */
const QUOTA_REST = 60_000;
/** A due time further off than this was set before the clock jumped back. */
const FARTHEST_DUE = 3600_000;
/** Look at due jobs at least so often: the clock may jump forward too. */
const LONGEST_SLEEP = 60_000;

/**
 * Begins ready jobs, some at a time, sees each through its attempt and settles it. It owns every job in progress of
 * its data directory, so at its start it takes up what an earlier process left in the middle.
 */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #settings: RunnerSettings;
  readonly #turns: Turns;
  readonly #recent = new RecentTimes();
  readonly #running = new Set<Promise<void>>();
  /** Of the attempts under way; aborting one ends its attempt. */
  readonly #leases = new Set<AbortController>();
  readonly #stopped = new AbortController();
  #state: 'new' | 'running' | 'draining' = 'new';
  #resting = 0;
  #callOffWake: () => void = () => undefined;

  constructor(parts: RunnerParts, settings: RunnerSettings) {
    this.#parts = parts;
    this.#settings = settings;
    this.#turns = new Turns(limitsFor(settings.inFlight));
  }

  /** Takes up what an earlier process left, and begins. */
  async start(): Promise<void> {
    const { store, artifacts } = this.#parts;
    const left = store.inProgress();
    await Promise.all(left.map((job) => artifacts.removeAllOf(job.id)));
    await Promise.all(left.map((job) => this.#apply(job.id, { kind: 'crash' })));
    this.#state = 'running';
    await this.#wake();
  }

  /** A job has become ready. */
  accepted(job: StoredJob): void {
    this.#turns.ready(job.user);
    if (this.#parts.waiters.isExpected(job.id)) this.#turns.waits(job.user, job.id);
    this.#fill();
  }

  /** Seconds of the phases of a job that was complete a moment ago. */
  times(id: string): Record<string, number> | undefined {
    return this.#recent.of(id);
  }

  /** Begins no more, gives what is in flight so long to end, and puts back the rest. */
  async stop({ milliseconds }: { milliseconds: number }): Promise<void> {
    this.#state = 'draining';
    this.#callOffWake();
    if (milliseconds <= 0) this.#abandon();
    const callOff = this.#parts.time.after(milliseconds, () => this.#abandon());
    await Promise.all(this.#running);
    callOff();
  }

  #abandon(): void {
    this.#stopped.abort();
    for (const lease of this.#leases) lease.abort(this.#stopped.signal.reason);
  }

  #fill(): void {
    if (this.#state !== 'running' || this.#resting > 0) return;
    for (let turn = this.#turns.next(); turn; turn = this.#turns.next()) this.#follow(turn);
  }

  #follow(turn: Turn): void {
    const done = this.#take(turn).finally(() => {
      this.#running.delete(done);
      this.#fill();
    });
    this.#running.add(done);
  }

  async #take(turn: Turn): Promise<void> {
    const job = await this.#claim(turn);
    if (!job) return this.#turns.endEmpty(turn);
    this.#turns.found(turn);
    this.#fill();
    try {
      await this.#run(job);
    } finally {
      this.#turns.end(turn);
    }
  }

  async #claim({ user, id }: Turn): Promise<StoredJob | undefined> {
    const { store, time, log } = this.#parts;
    let overQuota = false;
    try {
      const job = await store.claim(id === undefined ? { user } : { id }, (job, quota) => {
        overQuota = isOver(quota, job);
        return overQuota ? undefined : step(job, { kind: 'claim' }, time.now());
      });
      if (overQuota) await this.#postpone(user);
      return job;
    } catch (error) {
      log.error({ err: error }, 'the job store failed, no job is begun for a while');
      this.#turns.ready(user);
      this.#rest(STORE_REST);
      return undefined;
    }
  }

  async #postpone(user: string): Promise<void> {
    const { store, time, log } = this.#parts;
    const jobs = await store.postpone({ user }, time.now() + QUOTA_REST);
    log.info({ user, jobs }, 'the user is over quota, the jobs wait');
    this.#sleepUntilDue();
  }

  /** Begins nothing for a while. */
  #rest(milliseconds: number): void {
    this.#resting += 1;
    this.#parts.time.after(milliseconds, () => {
      this.#resting -= 1;
      this.#fill();
    });
  }

  async #run(job: StoredJob): Promise<void> {
    const { time } = this.#parts;
    const lease = new AbortController();
    const callOff = time.after(this.#settings.attemptMilliseconds, () => lease.abort(attemptTimedOut()));
    this.#leases.add(lease);
    if (this.#stopped.signal.aborted) lease.abort(this.#stopped.signal.reason);
    const event = await this.#attempt(job, lease.signal);
    this.#leases.delete(lease);
    callOff();
    await this.#settle(job, event);
  }

  /** How an attempt ended. */
  async #attempt(job: StoredJob, signal: AbortSignal): Promise<JobEvent> {
    const { waiters, time, log } = this.#parts;
    const priority = waiters.isExpected(job.id) ? 'interactive' : 'batch';
    const began = time.seconds();
    try {
      const spoken = await attempt(job, this.#parts, signal, priority);
      return this.#completion(job, spoken, time.seconds() - began);
    } catch (error) {
      if (this.#stopped.signal.aborted) return { kind: 'put_back', attempt: job.attempt };
      log.warn({ err: error, job: job.id, attempt: job.attempt }, 'an attempt at a job failed');
      const event = eventOf(error, job, time.now());
      if (event.kind === 'postpone') this.#spareOthers(job, event.until, error);
      return event;
    }
  }

  /** What is missing for one job is missing for others: they need not find out each for itself. */
  #spareOthers({ config }: StoredJob, until: number, error: unknown): void {
    const missing = failureOf(error);
    if (OWN_TROUBLES.has(missing)) return;
    if (missing !== 'voice_not_found') return this.#rest(STORAGE_REST);
    this.#parts.store.postpone({ model: config.model }, until).catch((failure: unknown) => {
      this.#parts.log.error({ err: failure }, 'the jobs of a missing voice could not be postponed');
    });
  }

  #completion(job: StoredJob, { result, times }: Spoken, latency: number): JobEvent {
    this.#recent.note(job.id, times);
    return { kind: 'complete', attempt: job.attempt, result: { ...result, latency } };
  }

  /** Writes down how the attempt ended, as often as the store needs. */
  async #settle(job: StoredJob, event: JobEvent): Promise<void> {
    const settled = await this.#apply(job.id, event);
    if (!settled || job.attempt === 1) return;
    const kept = settled.result?.artifact;
    if (isSettled(settled.status))
      await this.#parts.artifacts.removeAllOf(job.id, kept).catch(() => undefined);
  }

  /** An event's consequence in the store, and then for whoever waits. */
  async #apply(id: string, event: JobEvent): Promise<StoredJob | undefined> {
    const { store, waiters, time } = this.#parts;
    const job = await this.#insist(() => store.change(id, (job) => step(job, event, time.now())));
    if (!job) return undefined;
    waiters.tell(job);
    if (isSettled(job.status)) this.#parts.onSettled?.(job);
    if (job.notBefore !== undefined) this.#sleepUntilDue();
    else if (!isSettled(job.status)) this.#turns.ready(job.user);
    return job;
  }

  /** What has happened must be written down: it is tried until it works or the service stops. */
  async #insist<T>(write: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        this.#parts.log.error({ err: error }, 'the job store failed, a job cannot be settled yet');
        if (this.#stopped.signal.aborted) return undefined;
        await this.#pause(STORE_REST);
      }
    }
  }

  #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stopped;
    return new Promise((resolve) => {
      const end = (): void => {
        callOff();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const callOff = this.#parts.time.after(milliseconds, end);
      signal.addEventListener('abort', end);
    });
  }

  /** Makes due jobs ready, finds out who has some, and sleeps until the next are due. */
  async #wake(): Promise<void> {
    const { store, waiters, time, log } = this.#parts;
    if (this.#state !== 'running') return;
    try {
      const now = time.now();
      await store.wake(now, now + FARTHEST_DUE);
      for (const user of store.readyUsers()) this.#turns.ready(user);
      for (const [id, user] of waiters.expected()) this.#turns.waits(user, id);
    } catch (error) {
      log.error({ err: error }, 'the job store failed, no job is woken for a while');
    }
    this.#fill();
    this.#sleepUntilDue();
  }

  #sleepUntilDue(): void {
    const { time } = this.#parts;
    this.#callOffWake();
    if (this.#state !== 'running') return;
    const sleep = Math.max(0, (this.#nextDue() ?? Infinity) - time.now());
    this.#callOffWake = time.after(Math.min(sleep, LONGEST_SLEEP), () => void this.#wake());
  }

  #nextDue(): number | undefined {
    try {
      return this.#parts.store.nextDue();
    } catch {
      return undefined;
    }
  }
}

/** Accepted jobs were within the quota; it may have been lowered since. */
function isOver({ limit, used }: Quota, { characters }: StoredJob): boolean {
  return limit !== undefined && used + characters > limit;
}
