import type { Job, JobFilter, JobPage, NewJob } from '../store/job.js';

export type {
  Job,
  JobConfig,
  JobFault,
  JobFilter,
  JobPage,
  JobRequest,
  JobResult,
  JobStatus,
  NewJob,
} from '../store/job.js';

/** All that `http` and `main` know of this room. Errors: `job_not_found`, `job_cancellation_failure`, `quota_empty`,
 * `quota_insufficient`, `idempotency_conflict`, `job_queue_unavailable`, `service_draining`. */
export interface Jobs {
  /** Resolves when the job is durable. */
  submit(job: NewJob): Promise<Job>;
  /** The job when it settles, or as it stands after `milliseconds`, or when `signal` aborts. */
  settled(id: string, milliseconds: number, signal?: AbortSignal): Promise<Job>;
  get(user: string, id: string): Job;
  list(user: string, filter: JobFilter, page: JobPage): Promise<{ jobs: Job[]; length: number }>;
  count(user: string, filter: JobFilter): Promise<number>;
  /** Soft-deletes; cancels first what has not begun. */
  archive(user: string, id: string): Promise<Job>;
  /** Bytes that a job's audio must have; nothing where no job knows the artifact. */
  sizeOf(artifact: string): number | undefined;
  /** Phase times of a job that settled a moment ago, seconds; for `Server-Timing`. */
  times(id: string): Record<string, number> | undefined;
}
