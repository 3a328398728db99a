import type { SchedulerStats } from '../scheduler.js';

export interface IdleTunerParts {
  stats: () => Pick<SchedulerStats, 'busy' | 'waiting' | 'batches'>;
  /** Measures, and answers whether it could tell: then it has kept what it chose. */
  measure: (signal: AbortSignal) => Promise<boolean>;
  failed: (error: unknown) => void;
  /** Calls `look` again and again until what it answers is called. */
  repeat: (look: () => void) => () => void;
}

/** Looks in a row that must find nothing going on. */
export const IDLE_LOOKS = 30;

/** A machine that is always busy with something else is left alone after that. */
export const MOST_ATTEMPTS = 5;

/**
 * Measures once, when nothing has been spoken for a while. The first row that somebody wants meanwhile ends the
 * measurement, which is begun again at the next such moment, as is one on a machine that was too busy to tell.
 */
export class IdleTuner {
  readonly #stop: () => void;
  #measuring: AbortController | undefined;
  #quiet = 0;
  #attempts = 0;
  #batches = -1;
  #done: Promise<void> = Promise.resolve();

  constructor(private readonly parts: IdleTunerParts) {
    this.#stop = parts.repeat(() => this.#look());
  }

  async close(): Promise<void> {
    this.#stop();
    this.#measuring?.abort();
    await this.#done;
  }

  #look(): void {
    const { busy, waiting, batches } = this.parts.stats();
    const isQuiet =
      waiting === 0 && batches === this.#batches && (busy === 0 || this.#measuring !== undefined);
    this.#batches = batches;
    this.#quiet = isQuiet ? this.#quiet + 1 : 0;
    if (!isQuiet) this.#measuring?.abort();
    else if (!this.#measuring && this.#quiet >= IDLE_LOOKS) this.#done = this.#measure();
  }

  async #measure(): Promise<void> {
    const control = (this.#measuring = new AbortController());
    try {
      this.#attempts += 1;
      if ((await this.parts.measure(control.signal)) || this.#attempts === MOST_ATTEMPTS) this.#stop();
    } catch (error) {
      if (!control.signal.aborted) {
        this.#stop();
        this.parts.failed(error);
      }
    }
    this.#measuring = undefined;
    this.#quiet = 0;
  }
}
