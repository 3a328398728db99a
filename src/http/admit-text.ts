import type { Settings } from '../config.js';
import { isLantangError } from '../errors.js';
import type { JobRequest } from '../jobs/job.js';
import { countCodePoints } from '../text/script.js';
import { readSsml } from '../text/ssml/read-ssml.js';
import { refusal } from './error-table.js';
import { validationError } from './validate.js';

export type TextLimits = Pick<Settings, 'maxWaitCharacters' | 'maxCharacters' | 'maxSsmlCharacters'>;

/**
 * Checks what is to be spoken against the limits and gives its length in Unicode code points, tags not counted.
 * Throws `request_validation_error`, `tts_request_no_text_data`, `tts_request_not_waitable`, `tts_request_too_large`.
 */
export function admitText({ text, ssml }: JobRequest, wait: boolean, limits: TextLimits): number {
  if (text !== undefined && ssml !== undefined) throw bothGiven();
  if ((text ?? ssml ?? '').trim() === '') throw refusal('tts_request_no_text_data');
  const length = ssml === undefined ? countCodePoints(text!) : spokenLength(ssml, limits.maxSsmlCharacters);
  const maximum = wait ? Math.min(limits.maxWaitCharacters, limits.maxCharacters) : limits.maxCharacters;
  if (length <= maximum) return length;
  throw refusal(wait ? 'tts_request_not_waitable' : 'tts_request_too_large', { length, maximum });
}

function spokenLength(ssml: string, maximum: number): number {
  const length = countCodePoints(ssml);
  if (length > maximum) throw refusal('tts_request_too_large', { length, maximum });
  const { text, spokenCharacters } = parsed(ssml, maximum);
  if (text.text.trim() === '') throw refusal('tts_request_no_text_data');
  return spokenCharacters;
}

function parsed(ssml: string, maximum: number): ReturnType<typeof readSsml> {
  try {
    return readSsml(ssml, maximum);
  } catch (error) {
    if (!isLantangError(error, 'ssml_invalid')) throw error;
    const { code: status, message } = error;
    throw validationError([{ location: ['body', 'request', 'ssml'], message, status }]);
  }
}

function bothGiven(): Error {
  const message = 'request must have text or ssml, never both.';
  return validationError([{ location: ['body', 'request'], message, status: 'not_both' }]);
}
