/*
 * The child process in which one voice is prepared: it takes seconds and memory, and a graph that ends it must not end
 * the service. One message comes in, one goes out.
 */
import { constants } from 'node:os';
import { isLantangError } from '../errors.js';
import { prepareVoice } from '../voices/prepare/prepare.js';
import { loadAddon } from './binding.js';
import type { PreparationAnswer, PreparationOrder } from './preparer.js';
import { lowerPriority } from './priority.js';
import { trialEngine } from './trial-engine.js';

process.once('message', (order: PreparationOrder) => {
  // Others may be speaking meanwhile.
  lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  process.send?.(answerTo(order), () => process.disconnect());
});

function answerTo({ voice, directory, libraryPath }: PreparationOrder): PreparationAnswer {
  try {
    const addon = loadAddon();
    addon.openRuntime({ libraryPath });
    return { prepared: prepareVoice(voice, directory, trialEngine(addon)) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): { code: string; message: string } {
  if (isLantangError(error)) return { code: error.code, message: error.message };
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return {
      code: 'storage_full',
      message: 'The disk is full: there is no room in the data directory for the prepared voice.',
    };
  }
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    const reason = `The prepared voice cannot be written into the data directory (${code}).`;
    return { code: 'storage_unavailable', message: reason };
  }
  return { code: 'voice_preparation_failed', message: `The voice could not be prepared: ${message}` };
}
