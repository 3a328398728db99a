/*
 * The child process in which one voice is prepared: it takes seconds and memory, and a graph that ends it must not end
 * the service. One message comes in, one goes out.
 */
import { isLantangError } from '../errors.js';
import { prepareVoice } from '../voices/prepare/prepare.js';
import { loadAddon } from './binding.js';
import type { PreparationAnswer, PreparationOrder } from './preparer.js';
import { trialEngine } from './trial-engine.js';

process.once('message', (order: PreparationOrder) => {
  process.send?.(answerTo(order), () => process.disconnect());
});

function answerTo({ voice, directory, libraryPath }: PreparationOrder): PreparationAnswer {
  try {
    const addon = loadAddon();
    addon.openRuntime({ libraryPath });
    return { prepared: prepareVoice(voice, directory, trialEngine(addon)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: { code: isLantangError(error) ? error.code : 'voice_preparation_failed', message } };
  }
}
