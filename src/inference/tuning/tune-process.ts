/*
 * The child process that measures: its memory is that of one measurement, and it can be ended at any moment. One
 * request comes in, one answer goes out.
 */
import { constants } from 'node:os';
import { loadAddon } from '../binding.js';
import { lowerPriority } from '../priority.js';
import { measureSettings } from './measure.js';
import type { TuneAnswer, TuneOrder } from './tune.js';

process.once('message', (request: TuneOrder) => {
  // The lanes' threads, which are yet to start, inherit it.
  if (request.gently) lowerPriority(constants.priority.PRIORITY_LOW);
  void answerTo(request).then((answer) => process.send?.(answer, () => process.disconnect()));
});
// Whoever asked is gone.
process.once('disconnect', () => process.exit());

async function answerTo(request: TuneOrder): Promise<TuneAnswer> {
  try {
    loadAddon().openRuntime({ libraryPath: request.libraryPath });
    const measured = await measureSettings(request);
    return { measured, peakBytes: process.resourceUsage().maxRSS * 1024 };
  } catch (error) {
    const { code = 'inference_failed', message } = error as Error & { code?: string };
    return { failure: { code, message } };
  }
}
