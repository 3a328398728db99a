import type { Logger } from 'pino';
import { IdleTuner } from './inference/tuning/idle-tuner.js';
import type { Studio } from './studio.js';

const LOOK_MILLISECONDS = 1000;

/**
 * Measures how the default voice speaks fastest here, if that was never done, at a moment when nobody wants anything.
 * The next start goes by it. What is given ends it.
 */
export function tuneWhenIdle({ measure, synthesizer }: Studio, log: Logger): () => Promise<void> {
  if (!measure) return () => Promise.resolve();
  const tuner = new IdleTuner({
    stats: () => synthesizer.stats(),
    measure: async (signal) => {
      log.info('measuring how this machine speaks fastest, since nothing else is to do');
      const settled = await measure(signal);
      if (settled) log.info('measured; the next start goes by it (`lantang tune` shows more)');
      else log.info('this machine was too busy with something else to be measured');
      return settled;
    },
    failed: (error) => log.warn({ err: error }, 'this machine could not be measured'),
    repeat: (look) => {
      const timer = setInterval(look, LOOK_MILLISECONDS).unref();
      return () => clearInterval(timer);
    },
  });
  return () => tuner.close();
}
