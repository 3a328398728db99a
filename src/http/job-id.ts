import type { Call } from './call.js';
import { refusal } from './error-table.js';

const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;

/** The job that the path names, dashed or not, in any case. What can be no job's id is a job that is not found. */
export function jobIdOf(call: Call): string {
  const given = call['params']['job_id'] ?? '';
  const parts = UUID.exec(given);
  if (!parts) throw refusal('job_not_found', { job_id: given });
  return parts.slice(1).join('-').toLowerCase();
}
