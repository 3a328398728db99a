import type { ArtifactStore, StoredArtifact } from '../artifacts/artifact-store.js';
import { LantangError } from '../errors.js';
import type { PhaseTimes, Speaker, SpeakOptions, SpeechRequest, SpeechResult } from '../speech/speech.js';
import type { JobResult, StoredJob } from '../store/job.js';

export interface AttemptParts {
  speaker: Speaker;
  artifacts: ArtifactStore;
  /** The local name of a model's public name. */
  localModel: (model: string) => string;
}

/** A job as it was spoken: all of its result but the latency. */
export interface Spoken {
  result: Omit<JobResult, 'latency'>;
  times: PhaseTimes;
}

/** Speaks a job into an artifact. When it throws, or is aborted, no artifact of this attempt stays. */
export async function attempt(
  job: StoredJob,
  { speaker, artifacts, localModel }: AttemptParts,
  signal: AbortSignal,
  priority: SpeakOptions['priority'],
): Promise<Spoken> {
  const request = speechRequest(job, localModel);
  const speech = speaker.speak(request, { signal, priority, user: job.user, streaming: false });
  // It fails with the bytes, and whoever awaits those hears of it first.
  speech.result.catch(() => undefined);
  const artifact = await artifacts.write(job.id, request.format, abortable(speech.bytes, signal));
  try {
    const spoken = await orAborted(speech.result, signal);
    return { result: resultOf(artifact, spoken), times: spoken.times };
  } catch (error) {
    await artifacts.remove(artifact.name).catch(() => undefined);
    throw error;
  }
}

/** `bytes` until the signal aborts, also where they do not hear of it. */
async function* abortable(bytes: AsyncIterable<Buffer>, signal: AbortSignal): AsyncIterable<Buffer> {
  const source = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAborted(source.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: it answers only after a call of `next` that may never end.
    source.return?.().catch(() => undefined);
  }
}

/** `work`, or the signal's reason as soon as it aborts. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export function attemptTimedOut(): LantangError {
  return new LantangError('attempt_timed_out', 'The text took too long to speak.', { retryable: true });
}

function resultOf({ name, size }: StoredArtifact, spoken: SpeechResult): Spoken['result'] {
  const { format, duration, sampleRate, channels, sentences, words, marks } = spoken;
  return { artifact: name, format, duration, sampleRate, channels, size, sentences, words, marks };
}

function speechRequest({ request, config }: StoredJob, localModel: (model: string) => string): SpeechRequest {
  return {
    input:
      request.ssml === undefined
        ? { kind: 'text', content: request.text ?? '' }
        : { kind: 'ssml', content: request.ssml },
    model: localModel(config.model),
    pitch: config.pitch,
    tempo: config.tempo,
    format: config.audioFormat,
    sampleRate: config.sampleRate,
    seed: config.seed,
  };
}
