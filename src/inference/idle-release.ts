import type { SchedulerStats } from './scheduler.js';

export interface IdleReleaseParts {
  stats: () => Pick<SchedulerStats, 'busy' | 'waiting' | 'batches'>;
  /** Has all lanes give back what they do not need. */
  release: () => Promise<void>;
  /** Calls `look` again and again until what it answers is called. */
  repeat: (look: () => void) => () => void;
}

/** Looks in a row that must find nothing spoken. */
export const QUIET_LOOKS = 5;

/**
 * Gives memory back when nothing has been spoken for a while, once until something is spoken again. What a long text
 * took is twice what a voice needs (en_US-joe-medium: 500 MB, then 250), and to take it anew costs the next row less
 * than a tenth of its time.
 */
export class IdleRelease {
  readonly #stop: () => void;
  #batches = 0;
  #quiet = 0;
  #released = true;

  constructor(private readonly parts: IdleReleaseParts) {
    this.#stop = parts.repeat(() => this.#look());
  }

  close(): void {
    this.#stop();
  }

  #look(): void {
    const { busy, waiting, batches } = this.parts.stats();
    const isQuiet = busy === 0 && waiting === 0 && batches === this.#batches;
    if (batches !== this.#batches) this.#released = false;
    this.#batches = batches;
    this.#quiet = isQuiet ? this.#quiet + 1 : 0;
    if (this.#released || this.#quiet < QUIET_LOOKS) return;
    this.#released = true;
    // A lane whose thread dies of it has given back everything.
    void this.parts.release().catch(() => {});
  }
}
