import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { LantangError, type ErrorDetails } from '../../errors.js';
import type { Job, JobFilter, JobPage } from '../job.js';
import type { PackedBlock } from './postings.js';

/** What a reading thread is asked. Users are named by their row's id. */
export type Question =
  | { kind: 'page'; user: number; filter: JobFilter; page: JobPage }
  | { kind: 'count'; user: number; filter: JobFilter }
  | { kind: 'pack'; block: number };

/** An error keeps its code on its way between threads. */
export type Reply<T = unknown> = { value: T } | { error: ErrorParts };
export type ErrorParts = { code: string; message: string } & Omit<ErrorDetails, 'cause'>;

const WORKER = fileURLToPath(new URL('./reading-thread.js', import.meta.url));
const THREADS = 2;
const IDLE_MILLISECONDS = 60_000;

/**
 * Asks questions that take long of threads of their own, each with its own connection, so that the caller's event loop
 * goes on. A thread sees everything that was committed before it was asked. Threads begin with the first question.
 */
export class Reader {
  readonly #file: string;
  #threads: Piscina<Question, Reply> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Throws `job_queue_unavailable`, like all. */
  page(user: number, filter: JobFilter, page: JobPage): Promise<{ jobs: Job[]; length: number }> {
    return this.#ask({ kind: 'page', user, filter, page });
  }

  count(user: number, filter: JobFilter): Promise<number> {
    return this.#ask({ kind: 'count', user, filter });
  }

  pack(block: number): Promise<PackedBlock> {
    return this.#ask({ kind: 'pack', block });
  }

  async close(): Promise<void> {
    await this.#threads?.destroy();
  }

  async #ask<T>(question: Question): Promise<T> {
    this.#threads ??= this.#start();
    const reply = (await this.#threads.run(question)) as Reply<T>;
    if ('value' in reply) return reply.value;
    const { code, message, ...details } = reply.error;
    throw new LantangError(code, message, details);
  }

  #start(): Piscina<Question, Reply> {
    const threads = new Piscina<Question, Reply>({
      filename: WORKER,
      minThreads: 1,
      maxThreads: THREADS,
      idleTimeout: IDLE_MILLISECONDS,
      workerData: { file: this.#file },
      recordTiming: false,
    });
    // Every failure also reaches the question that it hit.
    threads.on('error', () => undefined);
    return threads;
  }
}
