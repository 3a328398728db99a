import type { JobChange, JobConfig, JobResult, NewJob, StoredJob } from '../../src/store/job.js';

export const CONFIG: JobConfig = {
  model: 'nadia',
  wait: false,
  pitch: 0,
  tempo: 1,
  audioFormat: 'wav',
  sampleRate: 48000,
  seed: 0,
};

/** A job as a caller submits it. */
export function newJob(text: string, rest: Partial<NewJob> & { label?: string } = {}): NewJob {
  const { label, ...fields } = rest;
  return {
    user: 'ana',
    request: { text, ...(label !== undefined && { label }) },
    config: CONFIG,
    characters: [...text].length,
    ...fields,
  };
}

export function resultOf({ id }: StoredJob): JobResult {
  return {
    artifact: `${id}.0123456789abcdef.wav`,
    format: 'wav',
    duration: 1.5,
    sampleRate: 48000,
    channels: 1,
    size: 144_044,
    sentences: [{ text: 'Good day.', start: 0, end: 1.5 }],
    words: [{ offset: 0, length: 4, start: 0, end: 0.5 }],
    marks: [],
    latency: 0.25,
  };
}

export const claimed = (job: StoredJob): JobChange => ({ status: 'in_progress', attempt: job.attempt + 1 });
export const completed = (job: StoredJob): JobChange => ({ status: 'complete', result: resultOf(job) });
