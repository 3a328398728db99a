import { fileURLToPath } from 'node:url';
import { LantangError, isLantangError } from '../errors.js';
import { PhonemizerChild } from './phonemizer/child.js';
import { RecentMap } from './phonemizer/recent-map.js';

export interface PhonemizerOptions {
  /** How many processes to run. */
  size?: number;
  /** libespeak-ng as dlopen takes it; else the system finds it. */
  library?: string;
  /** Path of `lantang-phonemizer`; else where the build puts it. */
  program?: string;
  /** For one request of at most 64 clauses; then its process is killed. */
  timeoutMilliseconds?: number;
}

export interface PhonemizerHealth {
  /** Processes that should run, and that do. */
  processes: number;
  alive: number;
  /** Processes that had to be replaced. */
  restarts: number;
  /** Of espeak-ng; undefined before the first process is ready. */
  version: string | undefined;
}

interface Task {
  voice: string;
  clauses: readonly string[];
  attempts: number;
  resolve: (phonemes: string[]) => void;
  reject: (reason: unknown) => void;
}

interface Seat {
  child: PhonemizerChild | undefined;
  isBusy: boolean;
  /** Questions that made espeak-ng change its voice, which leaks a little memory every time. */
  switches: number;
}

/** This file runs from dist/src/text. */
const PROGRAM = fileURLToPath(new URL('../../../build/Release/lantang-phonemizer', import.meta.url));
const MOST_CLAUSES = 64;
/** Clauses whose phonemes are kept. */
const CACHED_CLAUSES = 4096;
const MOST_ATTEMPTS = 2;
const MOST_SWITCHES = 20_000;

/**
 * A few phonemizer processes behind one queue. They start with the pool, which is best made early: starting a process
 * from a large one is slow. One that dies or sticks is replaced, and what it was asked is asked once more of another.
 */
export class PhonemizerPool {
  private readonly program: string;
  private readonly library: string | undefined;
  private readonly timeoutMilliseconds: number;
  private readonly cache = new RecentMap<string, string>(CACHED_CLAUSES);
  private readonly seats: Seat[];
  private readonly queue: Task[] = [];
  private restarts = 0;
  private version: string | undefined;
  private isClosed = false;

  constructor(options: PhonemizerOptions = {}) {
    this.program = options.program ?? PROGRAM;
    this.library = options.library;
    this.timeoutMilliseconds = options.timeoutMilliseconds ?? 5000;
    this.seats = Array.from({ length: options.size ?? 1 }, () => ({
      child: undefined,
      isBusy: false,
      switches: 0,
    }));
    for (const seat of this.seats) this.childOf(seat);
  }

  /** Resolves when all processes can be asked. Throws `phonemizer_unavailable`. */
  async ready(): Promise<void> {
    const versions = await Promise.all(this.seats.map((seat) => this.childOf(seat).ready));
    this.version = versions[0];
  }

  /**
   * IPA of every clause, words separated by spaces. Throws `phonemizer_voice_unknown`, `phonemizer_failed`
   * (retryable), `phonemizer_unavailable`, `phonemizer_closed`.
   */
  async phonemise(voice: string, clauses: readonly string[], signal?: AbortSignal): Promise<string[]> {
    signal?.throwIfAborted();
    const keyOf = (clause: string) => `${voice}\0${clause}`;
    const found = new Map<string, string>();
    for (const clause of clauses) {
      const phonemes = this.cache.get(keyOf(clause));
      if (phonemes !== undefined) found.set(clause, phonemes);
    }
    const missing = [...new Set(clauses)].filter((clause) => !found.has(clause));
    const requests = chunks(missing, MOST_CLAUSES).map(async (chunk) => {
      const answers = await this.request(voice, chunk);
      chunk.forEach((clause, index) => {
        found.set(clause, answers[index]!);
        this.cache.set(keyOf(clause), answers[index]!);
      });
    });
    await Promise.all(requests);
    signal?.throwIfAborted();
    return clauses.map((clause) => found.get(clause)!);
  }

  /** Whether espeak-ng has a voice of that name here, and survives it. Throws `phonemizer_unavailable`. */
  async hasVoice(name: string): Promise<boolean> {
    try {
      await this.phonemise(name, ['a']);
      return true;
    } catch (error) {
      if (isLantangError(error, 'phonemizer_voice_unknown') || isLantangError(error, 'phonemizer_failed'))
        return false;
      throw error;
    }
  }

  health(): PhonemizerHealth {
    const alive = this.seats.filter((seat) => seat.child?.isAlive).length;
    return { processes: this.seats.length, alive, restarts: this.restarts, version: this.version };
  }

  /** Ids of the processes that run, for operators and tests. */
  pids(): number[] {
    return this.seats.flatMap(({ child }) => (child?.isAlive && child.pid !== undefined ? [child.pid] : []));
  }

  /** Ends the processes; what still waits is refused. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const task of this.queue.splice(0)) task.reject(closed());
    const children = this.seats.flatMap(({ child }) => child ?? []);
    for (const child of children) child.end();
    await Promise.all(children.map((child) => child.ended));
  }

  private request(voice: string, clauses: readonly string[]): Promise<string[]> {
    if (this.isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      this.queue.push({ voice, clauses, attempts: 0, resolve, reject });
      this.dispatch();
    });
  }

  /** Gives the first task to a free seat, best to one that has its voice. */
  private dispatch(): void {
    while (this.queue.length > 0) {
      const free = this.seats.filter((seat) => !seat.isBusy);
      const [task] = this.queue;
      const seat = free.find(({ child }) => child?.voice === task!.voice) ?? free[0];
      if (!seat) return;
      this.queue.shift();
      void this.work(seat, task!);
    }
  }

  private async work(seat: Seat, task: Task): Promise<void> {
    seat.isBusy = true;
    task.attempts += 1;
    try {
      const child = this.childOf(seat);
      this.version = await child.ready;
      if (child.voice !== task.voice) seat.switches += 1;
      task.resolve(await child.ask(task.voice, task.clauses, this.timeoutMilliseconds));
    } catch (error) {
      this.handleFailure(task, error);
    } finally {
      this.renew(seat);
      seat.isBusy = false;
      this.dispatch();
    }
  }

  private handleFailure(task: Task, error: unknown): void {
    if (this.isClosed) task.reject(closed());
    else if (isLantangError(error, 'phonemizer_voice_unknown')) task.reject(error);
    else if (task.attempts < MOST_ATTEMPTS) this.queue.unshift(task);
    else task.reject(isLantangError(error) ? error : failed(error));
  }

  /** Replaces a process that is dead, or that has changed its voice so often that it has grown. */
  private renew(seat: Seat): void {
    if (this.isClosed || !seat.child) return;
    if (seat.switches > MOST_SWITCHES) seat.child.end();
    if (seat.child.isAlive) return;
    const { wasReady } = seat.child;
    seat.child = undefined;
    this.restarts += 1;
    // At once, unless it could not even start: then the next task tries again.
    if (wasReady) this.childOf(seat);
  }

  private childOf(seat: Seat): PhonemizerChild {
    if (seat.child?.isAlive) return seat.child;
    const child = new PhonemizerChild(this.program, this.library);
    seat.child = child;
    seat.switches = 0;
    void child.ended.then(() => {
      if (seat.child === child && !seat.isBusy) this.renew(seat);
    });
    return child;
  }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = [];
  for (let at = 0; at < items.length; at += size) result.push(items.slice(at, at + size));
  return result;
}

function closed(): LantangError {
  return new LantangError('phonemizer_closed', 'The phonemizer has been closed.');
}

function failed(cause: unknown): LantangError {
  return new LantangError(
    'phonemizer_failed',
    'The text could not be turned into phonemes; trying again may help.',
    {
      retryable: true,
      cause,
    },
  );
}
