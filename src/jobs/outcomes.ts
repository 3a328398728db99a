import { isLantangError, type LantangError } from '../errors.js';
import type { JobFault, StoredJob } from '../store/job.js';
import type { JobEvent } from './machine.js';

/**
 * What a failure means for its job.
 *   fail      the text or its request is at fault: it would fail again
 *   fault     the engine is at fault: it is tried again, a few times
 *   postpone  something is not there now (a voice, room on the disk): it waits, and it costs the job nothing
 */
export type Outcome = 'fail' | 'fault' | 'postpone';

/** Every code that comes out of the speech and artifact rooms; others are told by `retryable`. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  nothing_to_speak: 'fail',
  ssml_invalid: 'fail',
  text_too_long: 'fail',
  invalid_argument: 'fail',

  inference_failed: 'fault',
  encoding_failed: 'fault',
  out_of_memory: 'fault',
  device_lost: 'fault',
  device_unavailable: 'fault',
  phonemizer_failed: 'fault',
  model_invalid: 'fault',
  closed: 'fault',
  attempt_timed_out: 'fault',

  voice_not_found: 'postpone',
  model_not_found: 'postpone',
  storage_full: 'postpone',
  storage_unavailable: 'postpone',
};

/** Sentences for failures whose own say too much of the inside, or nothing that the caller can act on. */
const SENTENCES: Readonly<Record<string, string>> = {
  encoding_failed:
    'The audio could not be encoded, several times. Submit it again, or ask for another audio_format.',
  out_of_memory:
    'The service had too little memory for this text, several times. Submit it again in smaller parts.',
  device_lost: 'The device that speaks failed several times. Submit the text again later.',
  device_unavailable: 'No device was there to speak the text, several times. Submit it again later.',
  phonemizer_failed:
    'The text could not be turned into sounds, several times. Submit it again, or change its wording.',
  attempt_timed_out: 'The text took too long to speak, several times. Submit it again in smaller parts.',
  voice_not_found: 'The voice of this job has been gone for a day. Submit the text again with another model.',
  storage_full: 'There has been no room for the audio for a day. Submit the text again later.',
  storage_unavailable: 'There has been no storage for the audio for a day. Submit the text again later.',
};

const GENERAL =
  'The text could not be spoken, several times. Submit it again; if it fails again, tell the operator.';
/** What an engine's failure without a name of its own is called. */
const GENERAL_CODE = 'inference_failed';

/** How long a job waits for what is not there before it is tried again, and in all, milliseconds. */
const POSTPONED_FOR = 30_000;
const POSTPONED_IN_ALL = 24 * 3600 * 1000;

export function outcomeOf(error: unknown): Outcome {
  if (!isLantangError(error)) return 'fault';
  return OUTCOMES[error.code] ?? (error.retryable ? 'fault' : 'fail');
}

/** What happens to a job whose attempt ended with an error. */
export function eventOf(error: unknown, { attempt, createdAt }: StoredJob, now: number): JobEvent {
  const outcome = outcomeOf(error);
  if (outcome === 'fault') return { kind: 'fault', attempt, fault: faultOf(error) };
  const waitsOn = outcome === 'postpone' && now - createdAt < POSTPONED_IN_ALL;
  if (waitsOn) return { kind: 'postpone', attempt, until: now + POSTPONED_FOR };
  return { kind: 'fail', attempt, fault: faultOf(error) };
}

/** The failure as the caller may see it. */
export function faultOf(error: unknown): JobFault {
  if (!isLantangError(error)) return { code: GENERAL_CODE, message: GENERAL, retryable: true };
  if (outcomeOf(error) === 'fail') return { code: error.code, message: error.message, retryable: false };
  return {
    code: error.code,
    message: SENTENCES[error.code] ?? GENERAL,
    retryable: true,
    ...retryAfter(error),
  };
}

function retryAfter({ retryAfterSeconds }: LantangError): Pick<JobFault, 'retryAfterSeconds'> {
  return retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
}
