import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LantangError } from '../errors.js';
import type { PrepareVoice } from '../voices/catalogue.js';
import type { PublishedVoice } from '../voices/piper.js';
import type { Prepared } from '../voices/prepare/prepare.js';
import { preparedFolder, readPrepared } from '../voices/prepare/prepared-folder.js';

export interface PreparationOrder {
  voice: PublishedVoice;
  directory: string;
  libraryPath: string;
}

export type PreparationAnswer = { prepared: Prepared } | { failure: { code: string; message: string } };

const PROCESS_FILE = fileURLToPath(new URL('./prepare-process.js', import.meta.url));
/** Ordinary voices take seconds; the slowest machine gets this long. */
const LONGEST_MILLISECONDS = 10 * 60_000;

/** Prepares voices, each once, into folders of the data directory; in a process of its own, as that takes seconds. */
export function preparer(options: { dataDir: string; libraryPath: string }): PrepareVoice {
  return async (voice, sha256) => {
    const directory = preparedFolder(options.dataDir, sha256);
    const prepared =
      (await readPrepared(directory, voice)) ??
      (await prepareInProcess({ voice, directory, libraryPath: options.libraryPath }));
    return { ...prepared, directory };
  };
}

async function prepareInProcess(order: PreparationOrder): Promise<Prepared> {
  const child = fork(PROCESS_FILE, { serialization: 'advanced', timeout: LONGEST_MILLISECONDS });
  const answer = answerOf(child);
  child.send(order, (error) => error && child.kill());
  const outcome = await answer;
  if ('prepared' in outcome) return outcome.prepared;
  throw new LantangError(outcome.failure.code, `${order.voice.name}: ${outcome.failure.message}`);
}

/** What the child says before it ends, or how it ended without a word. */
async function answerOf(child: ChildProcess): Promise<PreparationAnswer> {
  let answer: PreparationAnswer | undefined;
  child.once('message', (message) => (answer = message as PreparationAnswer));
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
  const message = `The voice's graph ended the process that prepared it (${signal ?? `status ${status}`}).`;
  return answer ?? { failure: { code: 'voice_invalid', message } };
}
