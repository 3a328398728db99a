import { isLantangError } from '../errors.js';
import type { JobFault, StoredJob } from '../store/job.js';
import type { JobEvent } from './machine.js';

/**
 * What a failure means for its job.
 *   fail      the text or its request is at fault: it would fail again
 *   fault     the engine is at fault: it is tried again, a few times
 *   postpone  something is not there now (a voice, an encoder, room on the disk): it waits, and it costs the job nothing
 */
export type Outcome = 'fail' | 'fault' | 'postpone';

interface FailureRow {
  outcome: Outcome;
  /**
   * What the caller is told when the job is given up. Where it is absent, the input is at fault and the error's own
   * sentence says how.
   */
  sentence?: string;
}

const AGAIN = 'Submit the text again; if it fails again, tell the operator.';

/** Every failure that callers are told apart. */
const FAILURES: Readonly<Record<string, FailureRow>> = {
  nothing_to_speak: { outcome: 'fail' },
  ssml_invalid: { outcome: 'fail' },
  text_too_long: { outcome: 'fail' },

  inference_failed: { outcome: 'fault', sentence: `The text could not be spoken, several times. ${AGAIN}` },
  encoding_failed: { outcome: 'fault', sentence: `The audio could not be encoded, several times. ${AGAIN}` },
  phonemizer_failed: {
    outcome: 'fault',
    sentence:
      'The text could not be turned into sounds, several times. Submit it again, or change its wording.',
  },
  out_of_memory: {
    outcome: 'fault',
    sentence: 'There was too little memory for the text, several times. Submit it again in smaller parts.',
  },
  device_lost: {
    outcome: 'fault',
    sentence: 'The device that speaks failed several times. Submit the text again later.',
  },
  attempt_timed_out: {
    outcome: 'fault',
    sentence: 'The text took too long to speak, several times. Submit it again in smaller parts.',
  },

  voice_not_found: {
    outcome: 'postpone',
    sentence: 'The voice of this job has been gone for a day. Submit the text again with another model.',
  },
  ffmpeg_missing: {
    outcome: 'postpone',
    sentence: 'The format of this job could not be made for a day. Submit the text again as wav.',
  },
  pitch_unavailable: {
    outcome: 'postpone',
    sentence: 'The pitch could not be changed for a day. Submit the text again with a pitch of 0.',
  },
  storage_full: {
    outcome: 'postpone',
    sentence: 'There has been no room for the audio for a day. Submit the text again later.',
  },
  storage_unavailable: {
    outcome: 'postpone',
    sentence: 'There has been no storage for the audio for a day. Submit the text again later.',
  },
};

/** What all other failures are called: they are the engine's, and mean nothing to callers. */
const GENERAL = 'inference_failed';
/** A disk that will be written again when somebody makes room, whoever met it. */
const DISK_TROUBLES = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** What only jobs of the same kind lack. */
export const OWN_TROUBLES: ReadonlySet<string> = new Set(['ffmpeg_missing', 'pitch_unavailable']);

/** How long a job waits for what is not there before it is tried again, and in all, milliseconds. */
const POSTPONED_FOR = 30_000;
const POSTPONED_IN_ALL = 24 * 3600 * 1000;

/** The code of FAILURES that a failure falls under. */
export function failureOf(error: unknown): string {
  const cause = (error as Error | undefined)?.cause as NodeJS.ErrnoException | undefined;
  if (DISK_TROUBLES.has(cause?.code ?? '')) return 'storage_full';
  return isLantangError(error) && Object.hasOwn(FAILURES, error.code) ? error.code : GENERAL;
}

/** What happens to a job whose attempt ended with an error. */
export function eventOf(error: unknown, { attempt, createdAt }: StoredJob, now: number): JobEvent {
  const { outcome } = FAILURES[failureOf(error)]!;
  if (outcome === 'fault') return { kind: 'fault', attempt, fault: faultOf(error) };
  const waitsOn = outcome === 'postpone' && now - createdAt < POSTPONED_IN_ALL;
  if (waitsOn) return { kind: 'postpone', attempt, until: now + POSTPONED_FOR };
  return { kind: 'fail', attempt, fault: faultOf(error) };
}

/** The failure as the caller may see it. */
export function faultOf(error: unknown): JobFault {
  const code = failureOf(error);
  const { outcome, sentence } = FAILURES[code]!;
  return { code, message: sentence ?? (error as Error).message, retryable: outcome !== 'fail' };
}
