import type { Logger } from 'pino';
import type { Studio } from './studio.js';

/**
 * Sees to all voices but the default one while the service serves: those that are prepared are loaded, then the others
 * are prepared, one after another; each can be chosen as soon as it is. What is given ends it.
 */
export function readyTheOthers(studio: Pick<Studio, 'catalogue' | 'warm'>, log: Logger): () => Promise<void> {
  const { catalogue } = studio;
  const stop = new AbortController();
  const ready = async (name: string) => {
    await catalogue.prepare(name, stop.signal);
    const voice = catalogue.voices().find((one) => one.name === name);
    if (voice) await studio.warm(voice);
  };
  const work = async () => {
    const names = [...catalogue.voices().map(({ name }) => name), ...catalogue.waiting()];
    for (const name of names) {
      if (stop.signal.aborted) return;
      await ready(name).catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn({ voice: name, err: error }, 'a voice could not be loaded');
      });
    }
  };
  const done = work();
  return async () => {
    stop.abort();
    await done;
  };
}
