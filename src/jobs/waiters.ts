import { isSettled, type StoredJob } from '../store/job.js';
import type { Time } from './time.js';

type Hear = (job: StoredJob | undefined) => void;

/** Callers who wait for jobs to settle. They are told in this process, at the moment it happens. */
export class Waiters {
  readonly #time: Time;
  readonly #hearers = new Map<string, Set<Hear>>();
  /** Jobs that were submitted by somebody who waits, and their users, until the last one leaves. */
  readonly #expected = new Map<string, string>();

  constructor(time: Time) {
    this.#time = time;
  }

  /** Somebody is about to wait for the job. */
  expect({ id, user }: StoredJob): void {
    this.#expected.set(id, user);
  }

  isExpected(id: string): boolean {
    return this.#expected.has(id);
  }

  expected(): Iterable<[id: string, user: string]> {
    return this.#expected;
  }

  /** The settled job; nothing when the time is over or `signal` aborts first. */
  wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<StoredJob | undefined> {
    return new Promise((resolve) => {
      const leave = (): void => hear(undefined);
      const hear: Hear = (job) => {
        callOff();
        signal?.removeEventListener('abort', leave);
        this.#remove(id, hear);
        resolve(job);
      };
      this.#add(id, hear);
      const callOff = this.#time.after(milliseconds, leave);
      if (signal?.aborted) leave();
      else signal?.addEventListener('abort', leave);
    });
  }

  /** Tells everybody who waits for the job, if it has settled. */
  tell(job: StoredJob): void {
    if (!isSettled(job.status)) return;
    this.#expected.delete(job.id);
    for (const hear of this.#hearers.get(job.id) ?? []) hear(job);
  }

  #add(id: string, hear: Hear): void {
    const hearers = this.#hearers.get(id);
    if (hearers) hearers.add(hear);
    else this.#hearers.set(id, new Set([hear]));
  }

  #remove(id: string, hear: Hear): void {
    const hearers = this.#hearers.get(id);
    hearers?.delete(hear);
    if (hearers?.size !== 0) return;
    this.#hearers.delete(id);
    this.#expected.delete(id);
  }
}
