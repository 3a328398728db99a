import type { Job, JobConfig, JobFault, JobResult, JobStatus, StoredJob } from '../job.js';
import { idText } from '../job-ids.js';

/** A row of `jobs`, with its user's name. */
export interface JobRow {
  seq: number;
  id: Buffer;
  user: number;
  user_name: string;
  status: JobStatus;
  created_at: number;
  modified_at: number;
  archived_at: number | null;
  not_before: number | null;
  attempt: number;
  faults: number;
  crashes: number;
  characters: number;
  text: string;
  ssml: number;
  label: string | null;
  as_data: number | null;
  config: string;
  result: string | null;
  fault: string | null;
  timing?: string | null;
}

/** `SELECT … FROM jobs` of every column of a JobRow but `timing`. */
export const JOB_COLUMNS = `jobs.seq, jobs.id, jobs.user, users.name AS user_name, status, jobs.created_at, modified_at,
  archived_at, not_before, attempt, faults, crashes, characters, text, ssml, label, as_data, config, result, fault`;

const UNTIMED = { sentences: [], words: [], marks: [] };

export function jobOf(row: JobRow): StoredJob {
  return {
    id: idText(row.id),
    user: row.user_name,
    status: row.status,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    ...(row.archived_at !== null && { archivedAt: row.archived_at }),
    ...(row.not_before !== null && { notBefore: row.not_before }),
    request: requestOf(row),
    config: JSON.parse(row.config) as JobConfig,
    characters: row.characters,
    attempt: row.attempt,
    faults: row.faults,
    crashes: row.crashes,
    ...(row.result !== null && { result: resultOf(row.result, row.timing) }),
    ...(row.fault !== null && { fault: JSON.parse(row.fault) as JobFault }),
  };
}

/** The facts of a result, which the job's row keeps, and its timing, which is kept apart. */
export function splitResult(result: JobResult): { facts: string; timing: string } {
  const { sentences, words, marks, ...facts } = result;
  return { facts: JSON.stringify(facts), timing: JSON.stringify({ sentences, words, marks }) };
}

function requestOf(row: JobRow): Job['request'] {
  return {
    ...(row.ssml ? { ssml: row.text } : { text: row.text }),
    ...(row.label !== null && { label: row.label }),
    ...(row.as_data !== null && { asData: row.as_data === 1 }),
  };
}

function resultOf(facts: string, timing: string | null | undefined): JobResult {
  const times = timing ? (JSON.parse(timing) as Partial<JobResult>) : UNTIMED;
  return { ...(JSON.parse(facts) as JobResult), ...times };
}
