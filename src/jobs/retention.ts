import type { ArtifactStore } from '../artifacts/artifact-store.js';
import type { JobStore } from '../store/job-store.js';
import type { Log } from './log.js';
import type { Time } from './time.js';

export interface RetentionSettings {
  /** Days after its creation that a settled job is deleted; 0: never. */
  days: number;
  /** Days after it was archived that a job is deleted; 0: never. */
  archivedDays: number;
}

export interface RetentionParts {
  store: JobStore;
  artifacts: ArtifactStore;
  time: Time;
  log: Log;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Jobs of one transaction: a few milliseconds. */
const SOME = 100;

/** Deletes jobs whose time is over: first the audio, then the row, so that no audio is left that no row knows. */
export class Retention {
  readonly #parts: RetentionParts;
  readonly #settings: RetentionSettings;
  #callOff: () => void = () => undefined;
  #stopped = false;

  constructor(parts: RetentionParts, settings: RetentionSettings) {
    this.#parts = parts;
    this.#settings = settings;
  }

  /** Purges now, and every hour. */
  start(): void {
    void this.purge()
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'old jobs could not be deleted'))
      .finally(() => this.#sleep());
  }

  stop(): void {
    this.#stopped = true;
    this.#callOff();
  }

  /** How many were deleted. Throws `storage_unavailable`, `job_queue_unavailable`; the next hour goes on. */
  async purge(): Promise<number> {
    let purged = 0;
    for (let some = this.#next(); some.length > 0 && !this.#stopped; some = this.#next()) {
      await Promise.all(some.map((job) => this.#removeAudio(job)));
      await this.#parts.store.remove(some.map(({ id }) => id));
      purged += some.length;
    }
    if (purged > 0) this.#parts.log.info({ purged }, 'old jobs were deleted');
    return purged;
  }

  #sleep(): void {
    if (!this.#stopped) this.#callOff = this.#parts.time.after(HOUR, () => this.start());
  }

  #next(): { id: string; artifact?: string }[] {
    const { days, archivedDays } = this.#settings;
    const now = this.#parts.time.now();
    return this.#parts.store.purgeable({
      limit: SOME,
      ...(days > 0 && { createdBefore: now - days * DAY }),
      ...(archivedDays > 0 && { archivedBefore: now - archivedDays * DAY }),
    });
  }

  async #removeAudio({ artifact }: { artifact?: string }): Promise<void> {
    if (artifact !== undefined) await this.#parts.artifacts.remove(artifact);
  }
}
