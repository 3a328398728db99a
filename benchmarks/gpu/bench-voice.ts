import { readSettings, type Settings } from '../../src/config.js';
import type { DeviceSpec, Row } from '../../src/inference/binding.js';
import { openLog } from '../../src/log.js';
import { openCatalogue } from '../../src/studio.js';
import { referenceIds } from '../../src/voices/reference-ids.js';
import type { Voice } from '../../src/voices/voice.js';
import { CACHE } from '../paths.js';

export function benchSettings(dataDir: string, device: DeviceSpec): Settings {
  const name = device.provider === 'cpu' ? 'cpu' : `${device.provider}:${device.deviceId ?? 0}`;
  return readSettings({ dataDir, modelsDir: CACHE, devices: [name] });
}

/** Those of the named voices that are here. */
export async function openVoices(settings: Settings, names: string[]): Promise<Voice[]> {
  const catalogue = await openCatalogue(settings, openLog('error'));
  return catalogue.voices().filter(({ name }) => names.includes(name));
}

/** Shares of the reference sentence, one to five seconds of speech: as mixed as the clauses of real texts. */
const SHARES = [0.25, 1, 0.5, 0.8, 0.35, 0.65, 0.9, 0.45];

/**
 * Rows of mixed lengths, equal in every run. They need no phonemizer, so that a machine with a GPU and nothing else
 * measures the same.
 */
export function mixedRows(voice: Voice, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => rowOf(voice, SHARES[index % SHARES.length]!, index));
}

/** A row that says the share of the reference sentence; more than 1 says it again. */
export function rowOf(voice: Voice, share: number, seed: number): Row {
  const sentence = [...referenceIds(voice.text)];
  const ids = Array.from(
    { length: Math.max(4, Math.round(sentence.length * share)) },
    (_, i) => sentence[i % sentence.length]!,
  );
  return { ids: Int32Array.from(ids), ...voice.scales, speaker: 0, seed };
}
