import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, type Settings } from '../../src/config.js';
import type { DeviceSpec, Row } from '../../src/inference/binding.js';
import { openLog } from '../../src/log.js';
import { openCatalogue } from '../../src/studio.js';
import { referenceIds } from '../../src/voices/reference-ids.js';
import type { Voice } from '../../src/voices/voice.js';
import { CACHE, ROOT } from '../paths.js';
import { VOCODER_SIZES } from './generated-vocoder.js';
import { writeGeneratedVoice } from './generated-voice.js';

const PUBLISHED = 'en_US-joe-medium';

export interface BenchVoice {
  voice: Voice;
  /** The .onnx file as it was published. */
  file: string;
}

export function benchSettings(dataDir: string, device: DeviceSpec): Settings {
  const name = device.provider === 'cpu' ? 'cpu' : `${device.provider}:${device.deviceId ?? 0}`;
  return readSettings({ dataDir, modelsDir: join(dataDir, 'models'), devices: [name] });
}

/**
 * Those of the voices named by themselves or by a speaker that can be had: the embedded ones, en_US-joe-medium out of
 * the tests' cache, and `generated-medium` and `generated-high`, which are made of it.
 */
export async function openVoices(settings: Settings, names: string[]): Promise<BenchVoice[]> {
  const folder = settings.modelsDir!;
  mkdirSync(folder, { recursive: true });
  for (const name of names) gather(name, folder);
  const catalogue = await openCatalogue(settings, openLog('error'));
  const isNamed = ({ name }: { name: string }) => names.includes(name);
  const voices = catalogue.voices().filter((voice) => isNamed(voice) || voice.models.some(isNamed));
  return voices.map((voice) => {
    const places = [folder, join(ROOT, 'models')].map((place) => join(place, `${voice.name}.onnx`));
    return { voice, file: places.find(existsSync)! };
  });
}

/** Puts a voice's files into the folder, where it is not an embedded one. */
function gather(name: string, folder: string): void {
  const published = join(CACHE, `${PUBLISHED}.onnx`);
  const size = name.replace('generated-', '');
  const isGenerated = name !== size && size in VOCODER_SIZES;
  if (name !== PUBLISHED && !isGenerated) return;
  if (!existsSync(published)) {
    console.error(`Left out: ${name}, since the cache has no ${PUBLISHED}.onnx.`);
    return;
  }
  if (isGenerated) writeGeneratedVoice(published, folder, size as keyof typeof VOCODER_SIZES);
  else
    for (const end of ['', '.json']) copyFileSync(`${published}${end}`, join(folder, `${name}.onnx${end}`));
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
