import type { Settings } from '../../config.js';
import type { Job, JobConfig, JobRequest, Jobs } from '../../jobs/job.js';
import { admitAudio, type AskedAudio } from '../admit-audio.js';
import { admitText } from '../admit-text.js';
import { callerOf, type Call } from '../call.js';
import type { DeliverJob } from '../deliver-job.js';
import type { PublicModels } from '../models.js';
import type { AudioAbilities } from '../parts.js';
import { route, type Route } from '../route.js';
import { SignedUrlQuery, TtsJobRequest } from '../schemas/reading.js';
import { TtsJob } from '../schemas/writing.js';
import { validationError } from '../validate.js';

export interface SubmitParts {
  jobs: Jobs;
  models: PublicModels;
  abilities: AudioAbilities;
  deliver: DeliverJob;
  settings: Settings;
}

export function submitRoute(parts: SubmitParts): Route {
  const { jobs, models, abilities, deliver, settings } = parts;
  return route({
    method: 'post',
    path: '/v2/speech/tts',
    name: 'submitJob',
    tag: 'Speech jobs',
    summary: 'Submit a text to be spoken.',
    description:
      'With config.wait the answer comes when the job is done or the allotted time is over; a job that is not done ' +
      'goes on and is retrieved by its job_id.',
    scope: 'submit',
    submits: true,
    query: SignedUrlQuery,
    body: TtsJobRequest,
    headers: { 'idempotency-key': 'The same key with the same body gives the same job for 24 hours.' },
    answers: { 200: { description: 'The job.', schema: TtsJob } },
    errors: [
      'tts_model_not_found',
      'tts_request_no_text_data',
      'tts_request_not_waitable',
      'tts_request_too_large',
      'quota_empty',
      'quota_insufficient',
      'idempotency_conflict',
      'job_queue_unavailable',
      'service_draining',
    ],
    async answer(call, { query, body }) {
      const request = jobRequest(body);
      const config = jobConfig(body, settings.defaultVoice);
      const idempotencyKey = idempotencyKeyOf(call);
      models.localName(config.model);
      admitAudio(askedAudio(config), abilities);
      const characters = admitText(request, config.wait, settings);
      const { user } = callerOf(call);
      const job = await jobs.submit({
        user,
        request,
        config,
        characters,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      if (!config.wait) return deliver(call, job, 'facts');
      const settled = await waitFor(job, jobs, settings.syncWaitSeconds, call);
      const times = jobs.times(job.id);
      if (times) call.set('server-timing', serverTiming(times));
      return deliver(call, settled, query.as_signed_url ? 'path' : 'data');
    },
  });
}

/** Waits as long as the caller does, at most the allotted time. The job goes on in any case. */
async function waitFor(job: Job, jobs: Jobs, seconds: number, call: Call): Promise<Job> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  call.res.once('close', leave);
  try {
    return await jobs.settled(job.id, seconds * 1000, gone.signal);
  } finally {
    call.res.off('close', leave);
  }
}

function jobRequest({ request }: TtsJobRequest): JobRequest {
  return {
    ...(request.text !== undefined && { text: request.text }),
    ...(request.ssml !== undefined && { ssml: request.ssml }),
    ...(request.label !== undefined && { label: request.label }),
    ...(request.as_data !== undefined && { asData: request.as_data }),
  };
}

function jobConfig({ config }: TtsJobRequest, defaultVoice: string): JobConfig {
  return {
    model: config.model ?? defaultVoice,
    wait: config.wait,
    pitch: config.pitch,
    tempo: config.tempo,
    audioFormat: config.audio_format,
    sampleRate: config.sample_rate,
    seed: config.seed,
  };
}

function askedAudio({ audioFormat, pitch }: JobConfig): AskedAudio {
  return {
    format: { is: audioFormat, location: ['body', 'config', 'audio_format'] },
    pitch: { is: pitch, location: ['body', 'config', 'pitch'] },
  };
}

function idempotencyKeyOf(call: Call): string | undefined {
  const key = call.headers['idempotency-key'] as string | undefined;
  // One that was sent empty protects nobody, and whoever sends it thinks that it does.
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const message = 'idempotency-key must be 1 to 255 visible ASCII characters.';
  throw validationError([{ location: ['header', 'idempotency-key'], message, status: 'wrong_format' }]);
}

/** `text;dur=1.2, queue;dur=0.3` in milliseconds, from seconds. */
function serverTiming(times: Record<string, number>): string {
  return Object.entries(times)
    .map(([phase, seconds]) => `${phase};dur=${(seconds * 1000).toFixed(1)}`)
    .join(', ');
}
