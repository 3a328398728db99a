import type { Settings } from '../config.js';
import type { JobRequest } from '../jobs/job.js';
import { refusal } from './error-table.js';
import { validationError } from './validate.js';

export type TextLimits = Pick<Settings, 'maxWaitCharacters' | 'maxCharacters' | 'maxSsmlCharacters'>;

/**
 * Checks what is to be spoken against the limits and gives its length in Unicode code points, tags not counted.
 * Throws `request_validation_error`, `tts_request_no_text_data`, `tts_request_not_waitable`, `tts_request_too_large`.
 */
export function admitText(request: JobRequest, wait: boolean, limits: TextLimits): number {
  if (request.text !== undefined && request.ssml !== undefined) throw bothGiven();
  const text = request.text ?? request.ssml ?? '';
  if (text.trim() === '') throw refusal('tts_request_no_text_data');
  const length = codePoints(text);
  const maximum = wait ? Math.min(limits.maxWaitCharacters, limits.maxCharacters) : limits.maxCharacters;
  if (length > maximum) {
    throw refusal(wait ? 'tts_request_not_waitable' : 'tts_request_too_large', { length, maximum });
  }
  return length;
}

/** Unicode code points, without making an array of them. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) >= 0xd800 && text.codePointAt(index)! > 0xffff) {
      pairs++;
      index++;
    }
  }
  return text.length - pairs;
}

function bothGiven(): Error {
  const message = 'request must have text or ssml, never both.';
  return validationError([{ location: ['body', 'request'], message, status: 'not_both' }]);
}
