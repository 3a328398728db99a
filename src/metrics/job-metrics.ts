import { Counter, Histogram, type Registry } from 'prom-client';
import type { JobBacklog } from '../jobs/job-queue.js';
import type { Job } from '../jobs/job.js';
import { pulledGauge } from './pulled.js';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** What becomes of jobs. */
export class JobMetrics {
  readonly #settled: Counter<'status'>;
  readonly #durations: Histogram<'status'>;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.#settled = new Counter({
      name: 'lantang_jobs_settled_total',
      help: 'Jobs that were complete, failed or cancelled.',
      labelNames: ['status'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'lantang_job_duration_seconds',
      help: 'Seconds from a job’s acceptance to its end, its wait included, by how it ended.',
      labelNames: ['status'],
      buckets: SECONDS,
      registers,
    });
    for (const status of ['complete', 'failed', 'cancelled']) this.#settled.inc({ status }, 0);
  }

  /** A job has come to its end. */
  settled({ status, createdAt }: Job): void {
    this.#settled.inc({ status });
    this.#durations.observe({ status }, Math.max(0, Date.now() - createdAt) / 1000);
  }

  /** Follows the jobs that have not. */
  watch(backlog: () => JobBacklog): void {
    const states = {
      name: 'lantang_jobs',
      help: 'Jobs that have not settled: ready to begin, postponed to a later time, in progress.',
      label: 'state',
    };
    pulledGauge(this.registry, states, () => {
      const { ready, postponed, inProgress } = backlog();
      return { ready, postponed, in_progress: inProgress };
    });
    const age = {
      name: 'lantang_jobs_oldest_ready_age_seconds',
      help: 'Seconds since the acceptance of the oldest job that is ready to begin; 0 where there is none.',
    };
    pulledGauge(this.registry, age, () => {
      const { oldestReadyAt = Date.now() } = backlog();
      return Math.max(0, Date.now() - oldestReadyAt) / 1000;
    });
  }
}
