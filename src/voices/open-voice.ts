import type { LantangError } from '../errors.js';
import { examineVoice, type ExaminedVoice, type KnowsEspeakVoice } from './examine.js';
import type { PublishedVoice } from './piper.js';
import type { Prepared } from './prepare/prepare.js';
import type { Voice } from './voice.js';

/** A prepared voice and the folder it is in. */
export type PreparedVoice = Prepared & { directory: string };

/** Prepares the graphs of voices, each once; `inference` gives it. */
export interface VoicePreparer {
  /** What was prepared before. */
  find(voice: PublishedVoice, sha256: string): Promise<PreparedVoice | undefined>;
  /** Why the voice could not be prepared when that was tried before. */
  failure(voice: PublishedVoice, sha256: string): Promise<LantangError | undefined>;
  /** Takes seconds. Throws `voice_invalid`, `storage_full`, `storage_unavailable`, `voice_preparation_failed`. */
  make(voice: PublishedVoice, sha256: string, signal?: AbortSignal): Promise<PreparedVoice>;
}

/** Reads, checks and prepares one voice, also where that has failed before. Throws as `VoicePreparer.make`. */
export async function openVoice(
  modelFile: string,
  preparer: VoicePreparer,
  knows?: KnowsEspeakVoice,
): Promise<Voice> {
  const examined = await examineVoice(modelFile, knows);
  const { published, sha256 } = examined;
  return voiceOf(
    examined,
    (await preparer.find(published, sha256)) ?? (await preparer.make(published, sha256)),
  );
}

export function voiceOf({ published, sha256 }: ExaminedVoice, prepared: PreparedVoice): Voice {
  const { manifest, gain, directory } = prepared;
  const { name, text, scales, sampleRate } = published;
  const marks = manifest.tensors.durations !== null;
  const models = published.models.map((model) => ({ ...model, marks }));
  return { name, sha256, directory, manifest, text, scales, sampleRate, gain, models };
}
