import type { Call } from './call.js';
import { clipped } from './clipped.js';
import { refusal } from './error-table.js';

/** No id is longer; what is shows enough of itself to be told from others. */
const LONGEST_ECHO = 64;

const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;

/** The job that the path names, dashed or not, in any case. What can be no job's id is a job that is not found. */
export function jobIdOf(call: Call): string {
  const given = call['params']['job_id'] ?? '';
  const parts = UUID.exec(given);
  if (!parts) throw refusal('job_not_found', { job_id: clipped(given, LONGEST_ECHO) });
  return parts.slice(1).join('-').toLowerCase();
}
