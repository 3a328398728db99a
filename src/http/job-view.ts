import type { Job, JobFault } from '../jobs/job.js';
import type { PublicError } from './error-table.js';
import type {
  TtsJob,
  TtsJobOverview,
  TtsJobStatus,
  TtsMarks,
  TtsModel,
  TtsResult,
} from './schemas/writing.js';

/*
 * A job as callers see it: the one place that writes them. Absent values are left out, never null; the order of the
 * fields is the interface's.
 */

/** How the audio of a complete job is delivered; absent: only its facts. */
export type Delivery = { data: string } | { path: string } | { lost: Pick<PublicError, 'code' | 'message'> };

/** The whole job: for submit, retrieve and archive. */
export function jobView(job: Job, model: TtsModel | undefined, delivery?: Delivery): TtsJob {
  const result = resultView(job, delivery);
  return {
    ...jobStatusView(job),
    request: requestView(job),
    ...(result && { result }),
    job_config: configView(job),
    ...(model && { model }),
  };
}

/** The job in a list: no audio, no model. */
export function jobOverview(job: Job): TtsJobOverview {
  const result = job.result ? audioFacts(job.result) : faultFacts(job);
  return {
    ...jobStatusView(job),
    request: requestView(job),
    ...(result && { result }),
    job_config: configView(job),
  };
}

export function jobStatusView(job: Job): TtsJobStatus {
  return {
    job_id: job.id,
    status: job.status,
    created_at: timestamp(job.createdAt),
    modified_at: timestamp(job.modifiedAt),
  };
}

/** Word, sentence and mark times of a complete job. */
export function marksView(job: Job, result: NonNullable<Job['result']>): TtsMarks {
  const source = job.request.text ?? job.request.ssml ?? '';
  return {
    job_id: job.id,
    duration: result.duration,
    sentences: result.sentences.map(sentenceView),
    words: result.words.map(({ offset, length, start, end }) => ({
      offset,
      length,
      text: source.slice(offset, offset + length),
      start,
      end,
    })),
    marks: result.marks.map(({ name, time }) => ({ name, time })),
  };
}

/** `2019-08-24T14:15:22Z` from milliseconds since the epoch. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

function resultView(job: Job, delivery: Delivery | undefined): TtsResult | undefined {
  if (!job.result) return faultFacts(job);
  return {
    ...(delivery && !('lost' in delivery) && delivery),
    ...audioFacts(job.result),
    texts: job.result.sentences.map(sentenceView),
    latency: job.result.latency,
    ...(delivery && 'lost' in delivery && lossFacts(delivery.lost)),
  };
}

function lossFacts({ code, message }: Pick<PublicError, 'code' | 'message'>) {
  return { error: message, code, recovery: { retryable: false } };
}

function audioFacts(result: NonNullable<Job['result']>) {
  return {
    format: result.format,
    duration: result.duration,
    samplerate: result.sampleRate,
    channels: result.channels,
  };
}

function faultFacts(job: Job): Pick<TtsResult, 'error' | 'code' | 'recovery'> | undefined {
  if (job.status === 'cancelled')
    return { error: job.fault?.message ?? 'The job was cancelled before it began.' };
  if (job.status !== 'failed' || !job.fault) return undefined;
  return { error: job.fault.message, code: job.fault.code, recovery: recoveryView(job.fault) };
}

function recoveryView(fault: JobFault) {
  const { retryable, retryAfterSeconds } = fault;
  return {
    retryable,
    ...(retryAfterSeconds !== undefined && {
      retry_after_seconds: Math.max(1, Math.ceil(retryAfterSeconds)),
    }),
  };
}

function requestView({ request }: Job): TtsJob['request'] {
  return {
    ...(request.text !== undefined && { text: request.text }),
    ...(request.ssml !== undefined && { ssml: request.ssml }),
    ...(request.label !== undefined && { label: request.label }),
    ...(request.asData !== undefined && { as_data: request.asData }),
  };
}

function configView({ config }: Job): TtsJob['job_config'] {
  return {
    model: config.model,
    wait: config.wait,
    pitch: config.pitch,
    tempo: config.tempo,
    audio_format: config.audioFormat,
    ...(config.sampleRate !== 48000 && { sample_rate: config.sampleRate }),
    ...(config.seed !== 0 && { seed: config.seed }),
  };
}

function sentenceView({ text, start, end }: { text: string; start: number; end: number }) {
  return { text, start, end };
}
