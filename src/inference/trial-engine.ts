import type { TrialEngine } from '../voices/prepare/trial.js';
import type { Addon, RowAudio, RowResult } from './binding.js';

/** More rows than any trial has: a batch must really be run as one. */
const ROWS_PER_RUN = 64;

/** Lets a voice that is being prepared be heard, on one CPU thread. */
export function trialEngine(addon: Addon): TrialEngine {
  return {
    open(directory, manifest) {
      const voice = addon.load({
        directory,
        manifest,
        device: { provider: 'cpu' },
        rowsPerRun: ROWS_PER_RUN,
      });
      return {
        speak: (rows) => voice.synthesize(rows).map(audioOf),
        repeatedRuns: () => voice.info().repeatedRuns,
        close: () => voice.close(),
      };
    },
  };
}

function audioOf(result: RowResult): RowAudio {
  if ('error' in result) throw new Error(result.error.message);
  return result;
}
