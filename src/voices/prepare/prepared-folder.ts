import { access, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GraphManifest } from '../manifest.js';
import type { PublishedVoice } from '../piper.js';
import { PREPARATION_VERSION } from './draft.js';
import type { Prepared } from './prepare.js';

/** Files of a prepared folder, beside the stages. */
export const MANIFEST_FILE = 'manifest.json';
export const LOUDNESS_FILE = 'loudness.json';

/** Where a voice lies in the folder of prepared ones; `sha256` is of its .onnx file. */
export function preparedFolder(preparedVoices: string, sha256: string): string {
  return join(preparedVoices, `${sha256}-v${PREPARATION_VERSION}`);
}

/** What was prepared before, if it is whole and still describes the voice; its json may have been edited since. */
export async function readPrepared(directory: string, voice: PublishedVoice): Promise<Prepared | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(directory, MANIFEST_FILE), 'utf8')) as GraphManifest;
    const { gain } = JSON.parse(await readFile(join(directory, LOUDNESS_FILE), 'utf8')) as { gain: number };
    const stages = [...manifest.stages, ...(manifest.cpuStages ?? []), ...(manifest.halfStages ?? [])];
    await Promise.all(stages.map(({ file }) => access(join(directory, file))));
    return describes(manifest, voice) ? { manifest, gain } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Removes what other versions of the preparation left in the folder of prepared voices: nothing reads it any more. Best
 * effort; for a program that holds the lock of the data directory.
 */
export async function removeOldPreparations(preparedVoices: string): Promise<void> {
  const names = await readdir(preparedVoices).catch(() => []);
  const old = names.filter(
    (name) => versionOf(name) !== undefined && versionOf(name) !== PREPARATION_VERSION,
  );
  for (const name of old)
    await rm(join(preparedVoices, name), { recursive: true, force: true }).catch(() => {});
}

/** Of the preparation that a folder, or a note beside it, is of. */
function versionOf(name: string): number | undefined {
  const version = /^[0-9a-f]{64}-v(\d+)(?:\.|$)/.exec(name)?.[1];
  return version === undefined ? undefined : Number(version);
}

function describes(manifest: GraphManifest, { sampleRate, hop, numSpeakers, text }: PublishedVoice): boolean {
  const mostIds = Math.max(...[...text.idMap.values()].flat());
  return (
    manifest.version === PREPARATION_VERSION &&
    manifest.sampleRate === sampleRate &&
    manifest.hop === hop &&
    manifest.maxIds === text.maxIds &&
    manifest.numSpeakers >= numSpeakers &&
    manifest.numSymbols > mostIds
  );
}
