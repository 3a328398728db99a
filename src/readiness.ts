import type { Settings } from './config.js';
import { isLantangError } from './errors.js';
import type { Health, Readiness as Answer } from './http/parts.js';
import { localName } from './model-names.js';
import type { JobStore } from './store/job-store.js';
import type { Studio } from './studio.js';

/** An answer holds for so long, however often it is asked for. */
const FRESH_MILLISECONDS = 2000;

/** Whether the service can do its work now: the store takes writes, and the default voice really answers. */
export class Readiness implements Health {
  #answer: Promise<Answer> | undefined;
  #askedAt = -Infinity;

  constructor(
    private readonly studio: Pick<Studio, 'catalogue' | 'warm'>,
    private readonly store: JobStore,
    private readonly settings: Settings,
  ) {}

  readiness(): Promise<Answer> {
    const now = performance.now();
    if (!this.#answer || now - this.#askedAt > FRESH_MILLISECONDS) {
      this.#askedAt = now;
      this.#answer = this.#look();
    }
    return this.#answer;
  }

  async #look(): Promise<Answer> {
    const checks = await Promise.all([
      check('store', () => this.store.probe()),
      check('voice', () => this.#speak()),
    ]);
    return { ready: checks.every(({ ok }) => ok), checks };
  }

  #speak(): Promise<void> {
    const { voice } = this.studio.catalogue.resolve(localName(this.settings.defaultVoice, this.settings));
    return this.studio.warm(voice);
  }
}

async function check(name: string, look: () => Promise<void>): Promise<Answer['checks'][number]> {
  try {
    await look();
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, message: isLantangError(error) ? error.message : 'It failed unexpectedly.' };
  }
}
