import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trialEngine } from '../../src/inference/trial-engine.js';
import type { Addon, AddonVoice } from '../../src/inference/binding.js';
import { manifestOn } from '../../src/voices/manifest.js';
import { readPiperVoice, type PublishedVoice } from '../../src/voices/piper.js';
import { prepareVoice, type Prepared } from '../../src/voices/prepare/prepare.js';
import { asPublished, publishedDraft } from '../../src/voices/prepare/draft.js';
import type { TrialEngine } from '../../src/voices/prepare/trial.js';
import { readModel } from '../../src/voices/prepare/onnx/model.js';
import type { TemporaryFolder } from '../temporary-folder.js';
import { EMBEDDED_VOICES, FETCHED_VOICES, SHARED_VOICES } from '../native/published-voice.js';

/** The voices of the tests, as published. All but the first may be absent. */
export const ENGLISH = join(EMBEDDED_VOICES, 'english.onnx');
export const FOUR_SPEAKERS = join(SHARED_VOICES, 'four-speakers.onnx');
export const JOE = join(FETCHED_VOICES, 'en_US-joe-medium.onnx');

/** A voice prepared into a folder of the test's own. */
export interface PreparedVoice extends Prepared {
  published: PublishedVoice;
  directory: string;
}

/**
 * The embedded voice's json as that of a file called `name`: its speakers are the models `name` and `<name>-aidan`, so
 * that they take nobody's place.
 */
export function jsonOfCopy(name: string): string {
  const json = readFileSync(`${ENGLISH}.json`, 'utf8');
  return json.replace('"name": "aidan",', '').replace('"name": "nadia"', `"name": "${name}"`);
}

/** The embedded voice under another name, in `folder`. Gives the path of its .onnx. */
export function copyVoice(folder: string, name: string): string {
  const file = join(folder, `${name}.onnx`);
  copyFileSync(ENGLISH, file);
  writeFileSync(`${file}.json`, jsonOfCopy(name));
  return file;
}

export async function prepareInto(
  scratch: TemporaryFolder,
  modelFile: string,
  addon: Addon,
  engine: TrialEngine = trialEngine(addon),
): Promise<PreparedVoice> {
  const published = await readPiperVoice(modelFile);
  const directory = join(scratch.path, 'prepared', published.name);
  return { published, directory, ...prepareVoice(published, directory, engine) };
}

/** The voice through the engine as it was prepared. */
export function openPrepared(addon: Addon, { directory, manifest }: PreparedVoice): AddonVoice {
  const suited = manifestOn('cpu', manifest);
  return addon.load({ directory, manifest: suited, device: { provider: 'cpu' }, rowsPerRun: 16 });
}

/** The voice through the engine as it was published: the whole graph, a row at a time, uncut by durations. */
export function openPublished(addon: Addon, { published }: Pick<PreparedVoice, 'published'>): AddonVoice {
  const draft = publishedDraft(readModel(readFileSync(published.modelFile)), published, 'published');
  return addon.load({ ...asPublished(draft, published.modelFile), device: { provider: 'cpu' } });
}
