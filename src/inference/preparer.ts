import { fileURLToPath } from 'node:url';
import { LantangError } from '../errors.js';
import type { VoicePreparer } from '../voices/open-voice.js';
import type { PublishedVoice } from '../voices/piper.js';
import { forgetFailure, recallFailure, rememberFailure } from '../voices/prepare/failed-preparation.js';
import type { Prepared } from '../voices/prepare/prepare.js';
import { preparedFolder, readPrepared } from '../voices/prepare/prepared-folder.js';
import { askProcess } from './ask-process.js';

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
  const limits = { signal, timeout: LONGEST_MILLISECONDS };
  const reply = await askProcess<PreparationAnswer>(PROCESS_FILE, order, limits);
  if ('answer' in reply) return reply.answer;
  const code = CRASHES.has(reply.signal) ? 'voice_invalid' : 'voice_preparation_failed';
  const end = reply.signal ?? `status ${reply.status}`;
  const message = `The process that prepared the voice's graph ended without an answer (${end}).`;
  return { failure: { code, message } };
}
