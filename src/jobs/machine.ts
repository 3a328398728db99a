import type { JobChange, JobFault, JobResult, JobStatus, StoredJob } from '../store/job.js';

/**
 * The life of a job. Everything that can happen to one is an event here; `step` says what becomes of the job, and the
 * store carries it out by compare-and-set on status and attempt, so that of two events at once one wins and the other
 * finds a job that has moved on.
 *
 *   created ──claim──► in_progress ──complete──────────────────► complete
 *      │                  ▲     ├─────fail, last fault or crash─► failed
 *      │                claim   └─────fault, postpone, put back,
 *      │                  │                 crash    │
 *      └──postpone────► queued ◄─────────────────────┘
 *
 *   created, queued ──archive──► cancelled
 *
 * `created`     accepted and durable; nobody has looked at it.
 * `queued`      looked at and put back: at once, or not before a time, because its user is over quota, its voice or the
 *               storage is not there, or the engine failed on it. Other systems say "deferred".
 * `in_progress` claimed, under a lease: it belongs to the process that holds the data directory, for this attempt. The
 *               attempt's number goes up with each claim, and whoever settles must name it, so a runner that was
 *               thought lost can't settle what another has begun again. A lease is never renewed: it ends with the
 *               attempt's allotted time, which the runner keeps, or with the process; then the job is put back.
 * `complete`, `failed`, `cancelled`: settled. They never change again.
 *
 * Archiving hides a job and is possible in every state but `in_progress`; what has not begun is cancelled by it.
 *
 * Three counters are kept apart. `attempt` counts claims. `faults` counts failures of the engine: the third fails the
 * job, the first two put it back for longer and longer. `crashes` counts processes that ended in the middle; that is
 * rarely the job's fault, so it takes many to give it up, but a text that kills the process must not do so for ever.
 */
export type JobEvent =
  | { kind: 'claim' }
  | { kind: 'complete'; attempt: number; result: JobResult }
  /** It would fail again: bad input. */
  | { kind: 'fail'; attempt: number; fault: JobFault }
  /** It may work again: the engine's failure. */
  | { kind: 'fault'; attempt: number; fault: JobFault }
  /** Nobody's failure: something it needs is not there now. */
  | { kind: 'postpone'; attempt: number; until: number }
  /** The service stops before the job is done. */
  | { kind: 'put_back'; attempt: number }
  /** A process ended while the job was in progress. */
  | { kind: 'crash' }
  | { kind: 'archive' };

export const MOST_FAULTS = 3;
export const MOST_CRASHES = 20;

const FIRST_DELAY_MILLISECONDS = 1000;
const DELAY_FACTOR = 4;

/**
 * Where each state may lead. `created` becomes `queued` when all of a user's or a voice's ready jobs are postponed,
 * which the store does at once for all.
 */
export const TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  created: ['in_progress', 'queued', 'cancelled'],
  queued: ['in_progress', 'cancelled'],
  in_progress: ['complete', 'failed', 'queued'],
  complete: [],
  failed: [],
  cancelled: [],
};

const CANCELLED: JobFault = {
  code: 'job_cancelled',
  message: 'The job was archived before it had begun, and so cancelled.',
  retryable: false,
};

const CRASHED: JobFault = {
  code: 'inference_failed',
  message: 'The text could not be spoken: the service ended each time it tried.',
  retryable: false,
};

/** What becomes of a job at `now`, milliseconds since the epoch; nothing when the event came too late or too early. */
export function step(job: StoredJob, event: JobEvent, now: number): JobChange | undefined {
  switch (event.kind) {
    case 'claim':
      return isWaiting(job) && job.notBefore === undefined
        ? { status: 'in_progress', attempt: job.attempt + 1 }
        : undefined;
    case 'archive':
      return archived(job, now);
    case 'crash':
      return job.status === 'in_progress' ? afterCrash(job) : undefined;
    default:
      return job.status === 'in_progress' && job.attempt === event.attempt
        ? settled(job, event, now)
        : undefined;
  }
}

type AttemptEvent = Extract<JobEvent, { attempt: number }>;

function settled(job: StoredJob, event: AttemptEvent, now: number): JobChange {
  switch (event.kind) {
    case 'complete':
      return { status: 'complete', result: event.result };
    case 'fail':
      return { status: 'failed', fault: event.fault };
    case 'fault':
      return afterFault(job, event.fault, now);
    case 'postpone':
      return { status: 'queued', notBefore: event.until };
    case 'put_back':
      return { status: 'queued' };
  }
}

function afterFault(job: StoredJob, fault: JobFault, now: number): JobChange {
  const faults = job.faults + 1;
  if (faults >= MOST_FAULTS) return { status: 'failed', faults, fault };
  return { status: 'queued', faults, notBefore: now + retryDelay(faults) };
}

function afterCrash(job: StoredJob): JobChange {
  const crashes = job.crashes + 1;
  if (crashes >= MOST_CRASHES) return { status: 'failed', crashes, fault: CRASHED };
  return { status: 'queued', crashes };
}

function archived(job: StoredJob, now: number): JobChange | undefined {
  if (job.archivedAt !== undefined || job.status === 'in_progress') return undefined;
  if (!isWaiting(job)) return { status: job.status, archivedAt: now };
  return { status: 'cancelled', archivedAt: now, notBefore: null, fault: CANCELLED };
}

/** Milliseconds before the attempt after the `faults`th fault: 1 s, 4 s, … */
export function retryDelay(faults: number): number {
  return FIRST_DELAY_MILLISECONDS * DELAY_FACTOR ** (faults - 1);
}

function isWaiting({ status }: StoredJob): boolean {
  return status === 'created' || status === 'queued';
}
