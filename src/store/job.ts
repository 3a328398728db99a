import type { AudioFormatName, SampleRate } from '../audio/format.js';

/** The life that leads through these is told in `src/jobs/machine.ts`. */
export type JobStatus = 'created' | 'queued' | 'in_progress' | 'complete' | 'failed' | 'cancelled';

/** Settled jobs never change again, but for being archived. */
export function isSettled(status: JobStatus): boolean {
  return status === 'complete' || status === 'failed' || status === 'cancelled';
}

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

/** In lists without sentences, words and marks: their arrays are empty there. */
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

/** A job with what only its machine counts. */
export interface StoredJob extends Job {
  /** How often the engine failed on it. */
  faults: number;
  /** How often a process ended while it was in progress. */
  crashes: number;
}

/** What a step of the machine changes; a field that is left out stays as it is. */
export interface JobChange {
  status: JobStatus;
  attempt?: number;
  faults?: number;
  crashes?: number;
  /** `null`: due at once. */
  notBefore?: number | null;
  archivedAt?: number;
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
