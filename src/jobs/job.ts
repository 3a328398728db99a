import type { AudioFormatName, SampleRate } from '../audio/format.js';

/**
 * What a job is. Life of a job:
 *
 *   created ──► queued ──► in_progress ──► complete
 *      │          │  ▲          ├────────► failed
 *      │          │  └──────────┘ (engine fault: again, later; a crash: again, at once)
 *      └──────────┴──► cancelled
 *
 * `created`: accepted and durable, nobody has looked at it. `queued`: looked at and put back: it waits for quota, for
 * a retry or for a voice (other systems say "deferred"). `in_progress`: claimed by a runner under a lease.
 * The three on the right are settled and never change again. Archiving is orthogonal: `archivedAt` hides a job.
 */
export type JobStatus = 'created' | 'queued' | 'in_progress' | 'complete' | 'failed' | 'cancelled';

export interface JobRequest {
  /** Exactly one of `text` and `ssml`. As submitted, untouched. */
  text?: string;
  ssml?: string;
  label?: string;
  /** Accepted and echoed; without effect. */
  asData?: boolean;
}

export interface JobConfig {
  /** The model's public name, as the caller gave it or the default. */
  model: string;
  wait: boolean;
  pitch: number;
  tempo: number;
  audioFormat: AudioFormatName;
  sampleRate: SampleRate;
  seed: number;
}

export interface JobResult {
  /** Name of the audio in the artifact store. */
  artifact: string;
  format: AudioFormatName;
  /** Seconds. */
  duration: number;
  sampleRate: SampleRate;
  channels: number;
  /** Bytes. */
  size: number;
  sentences: { text: string; start: number; end: number }[];
  words: { offset: number; length: number; start: number; end: number }[];
  marks: { name: string; time: number }[];
  /** Seconds from claim to settled. */
  latency: number;
}

export interface JobFault {
  /** Stable, snake case. */
  code: string;
  /** A sentence the caller can act on. */
  message: string;
  retryable: boolean;
  retryAfterSeconds?: number;
}

export interface Job {
  /** UUIDv7, lower case with dashes. */
  id: string;
  user: string;
  status: JobStatus;
  /** Milliseconds since the epoch. */
  createdAt: number;
  modifiedAt: number;
  archivedAt?: number;
  request: JobRequest;
  config: JobConfig;
  /** Code points that count against limits and quota. */
  characters: number;
  /** How often it was claimed. */
  attempt: number;
  /** Not to be claimed before; milliseconds since the epoch. */
  notBefore?: number;
  result?: JobResult;
  fault?: JobFault;
}

export interface JobFilter {
  /** Milliseconds since the epoch: from inclusive, until exclusive. */
  from?: number;
  until?: number;
  /** Case-insensitive substring of the text. */
  text?: string;
}

export interface JobPage {
  sortBy: 'time' | 'label' | 'text';
  ascending: boolean;
  /** From 1. */
  page: number;
  perPage: number;
}

export interface NewJob {
  user: string;
  request: JobRequest;
  config: JobConfig;
  characters: number;
  idempotencyKey?: string;
}

/** All that `http` and `main` know of this room. Errors: `job_not_found`, `job_cancellation_failure`, `quota_empty`,
 * `quota_insufficient`, `idempotency_conflict`, `job_queue_unavailable`, `service_draining`. */
export interface Jobs {
  /** Resolves when the job is durable. */
  submit(job: NewJob): Promise<Job>;
  /** The job when it settles, or as it stands after `milliseconds`, or when `signal` aborts. */
  settled(id: string, milliseconds: number, signal?: AbortSignal): Promise<Job>;
  get(user: string, id: string): Job;
  list(user: string, filter: JobFilter, page: JobPage): { jobs: Job[]; length: number };
  count(user: string, filter: JobFilter): number;
  /** Soft-deletes; cancels first what has not begun. */
  archive(user: string, id: string): Promise<Job>;
  /** Phase times of a job that settled a moment ago, seconds; for `Server-Timing`. */
  times(id: string): Record<string, number> | undefined;
}
