import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LantangError } from '../errors.js';
import type { VoicePreparer } from '../voices/open-voice.js';
import type { PublishedVoice } from '../voices/piper.js';
import { forgetFailure, recallFailure, rememberFailure } from '../voices/prepare/failed-preparation.js';
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

/** Ends that are the graph's doing; the others are an operator's, or those of a machine without memory. */
const CRASHES = new Set<string | null>(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP']);

/** Prepares voices, each once, each into a folder in `folder`; in a process of its own, as that takes seconds. */
export function preparer({ folder, libraryPath }: { folder: string; libraryPath: string }): VoicePreparer {
  const folderOf = (sha256: string) => preparedFolder(folder, sha256);
  return {
    async find(voice, sha256) {
      const directory = folderOf(sha256);
      const prepared = await readPrepared(directory, voice);
      return prepared && { ...prepared, directory };
    },
    failure: (voice, sha256) => recallFailure(folderOf(sha256), voice),
    async make(voice, sha256, signal) {
      const directory = folderOf(sha256);
      const outcome = await prepareInProcess({ voice, directory, libraryPath }, signal);
      if ('prepared' in outcome) {
        await forgetFailure(directory);
        return { ...outcome.prepared, directory };
      }
      const failure = new LantangError(outcome.failure.code, outcome.failure.message);
      if (failure.code === 'voice_invalid') await rememberFailure(directory, voice, failure);
      throw failure;
    },
  };
}

async function prepareInProcess(order: PreparationOrder, signal?: AbortSignal): Promise<PreparationAnswer> {
  signal?.throwIfAborted();
  const child = fork(PROCESS_FILE, {
    serialization: 'advanced',
    timeout: LONGEST_MILLISECONDS,
    ...(signal ? { signal } : {}),
  });
  const answer = answerOf(child);
  child.send(order, (error) => error && child.kill());
  return answer;
}

/** What the child says before it ends, or how it ended without a word. */
async function answerOf(child: ChildProcess): Promise<PreparationAnswer> {
  let answer: PreparationAnswer | undefined;
  child.once('message', (message) => (answer = message as PreparationAnswer));
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (answer) return answer;
  const code = CRASHES.has(signal) ? 'voice_invalid' : 'voice_preparation_failed';
  const message = `The process that prepared the voice's graph ended without an answer (${signal ?? `status ${status}`}).`;
  return { failure: { code, message } };
}
