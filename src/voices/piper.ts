import { basename, dirname, join } from 'node:path';
import { LantangError } from '../errors.js';
import { JsonReader } from './json-reader.js';
import { readModelCard } from './model-card.js';
import { readRegular } from './regular-file.js';
import type { VoiceModel, VoiceScales, VoiceText } from './voice.js';

/** What `<name>.onnx.json` says of a voice, read and checked. The graph has not been looked at. */
export interface PublishedVoice {
  name: string;
  /** Path of the .onnx file. */
  modelFile: string;
  text: VoiceText;
  scales: VoiceScales;
  sampleRate: number;
  /** Samples per frame. */
  hop: number;
  numSymbols: number;
  numSpeakers: number;
  models: Omit<VoiceModel, 'marks'>[];
}

/** About half a minute of speech: longer rows cost memory by the square, and no sentence needs them. */
const MAX_IDS = 800;
const DEFAULT_HOP = 256;
const MODEL_NAME = /^[\w.-]{1,100}$/;
const LARGEST_SAMPLE_RATE = 192_000;
/** Ordinary ones have 10 KB; a thousand named speakers fit well. */
const MOST_JSON_BYTES = 8 << 20;

/**
 * Reads a voice as Piper publishes it, `<name>.onnx` + `<name>.onnx.json`. The fields are those of
 * https://github.com/OHF-Voice/piper1-gpl (its training writes them, its runtime reads them), and `lantang`, ours,
 * explained in models/README.md.
 *
 * Throws `voice_invalid`, whose message names the field, what was expected and what came.
 */
export async function readPiperVoice(modelFile: string): Promise<PublishedVoice> {
  const json = await readJson(`${modelFile}.json`);
  const licence = await readModelCard(join(dirname(modelFile), 'MODEL_CARD'));
  return parsePiperVoice(json, modelFile, licence);
}

async function readJson(path: string): Promise<unknown> {
  const name = basename(path);
  const text = await readRegular(path, MOST_JSON_BYTES);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new LantangError('voice_invalid', `${name} is not valid JSON.`, { cause });
  }
}

/** `licence` is what stands beside the voice, used where its json names none. */
export function parsePiperVoice(json: unknown, modelFile: string, licence?: string): PublishedVoice {
  const name = basename(modelFile, '.onnx');
  const root = new JsonReader(json, `${basename(modelFile)}.json`);
  const inference = root.optionalObject('inference');
  const numSymbols = root.integer('num_symbols', { from: 1, to: 100_000 });
  const numSpeakers = root.integer('num_speakers', { from: 1, to: 100_000, fallback: 1 });
  const sampleRate = root.object('audio').integer('sample_rate', { from: 4000, to: LARGEST_SAMPLE_RATE });
  const text = readText(root, numSymbols);
  return {
    name,
    modelFile,
    text,
    scales: {
      noiseScale: inference.number('noise_scale', { from: 0, to: 10, fallback: 0.667 }),
      lengthScale: inference.number('length_scale', { from: 0.001, to: 10, fallback: 1 }),
      noiseW: inference.number('noise_w', { from: 0, to: 10, fallback: 0.8 }),
    },
    sampleRate,
    hop: root.integer('hop_length', { from: 1, to: 65_536, fallback: DEFAULT_HOP }),
    numSymbols,
    numSpeakers,
    models: readModels(root, { name, numSpeakers, language: text.language, sampleRate, licence }),
  };
}

function readText(root: JsonReader, numSymbols: number): VoiceText {
  const phonemeType = root.choice('phoneme_type', ['espeak', 'text'], 'espeak');
  const espeakVoice = root.optionalObject('espeak').string('voice', phonemeType === 'text' ? '' : undefined);
  return {
    espeakVoice,
    language: readLanguage(root, espeakVoice),
    phonemeType,
    idMap: readIdMap(root.object('phoneme_id_map'), numSymbols),
    maxIds: MAX_IDS,
  };
}

/** `en_US` → `en-US`; without a code, what espeak-ng's voice is called (`en-us` → `en-US`). */
function readLanguage(root: JsonReader, espeakVoice: string): string {
  const code = root.optionalObject('language').string('code', espeakVoice || 'und');
  return toLanguageTag(code) ?? root.fail('language.code', 'a language tag such as en_US', code);
}

function toLanguageTag(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** Symbols that frame every utterance; a voice without them can't be spoken to. */
const FRAME = ['^', '_', '$'];

function readIdMap(map: JsonReader, numSymbols: number): ReadonlyMap<string, readonly number[]> {
  const idMap = new Map<string, readonly number[]>();
  for (const symbol of map.keys()) {
    const ids = map.integers(symbol, { from: 0, to: numSymbols - 1 });
    idMap.set(symbol.normalize('NFD'), ids);
  }
  for (const symbol of FRAME) {
    if (!idMap.get(symbol)?.length)
      map.fail(symbol, 'ids of this symbol, which frames every utterance', undefined);
  }
  return idMap;
}

interface Common {
  name: string;
  numSpeakers: number;
  language: string;
  sampleRate: number;
  licence: string | undefined;
}

function readModels(root: JsonReader, common: Common): PublishedVoice['models'] {
  const card = root.optionalObject('lantang');
  const speakers = card.optionalObject('speakers');
  return speakerNames(root, common.numSpeakers).map((speakerName, speaker) => {
    const own = speakerName === undefined ? card : speakers.optionalObject(speakerName);
    const say = (key: string, fallback: string) => own.string(key, card.string(key, fallback));
    return {
      name: speakerName === undefined ? common.name : readModelName(own, `${common.name}-${speakerName}`),
      voice: common.name,
      speaker,
      label: own.string(
        'label',
        speakerName === undefined ? title(common.name) : `${title(common.name)}, ${title(speakerName)}`,
      ),
      language: toLanguageTag(say('language', common.language)) ?? common.language,
      domain: say('domain', 'general'),
      gender: say('gender', 'unknown'),
      licence: say('licence', common.licence ?? 'unknown'),
      sampleRate: common.sampleRate,
    };
  });
}

/** A speaker may have a name of its own, under which it can move to another file. */
function readModelName(speaker: JsonReader, fallback: string): string {
  const name = speaker.string('name', fallback);
  if (name !== fallback && !MODEL_NAME.test(name)) {
    speaker.fail('name', 'letters, digits, ".", "_" and "-", at most 100', name);
  }
  return name;
}

/** One name per row of the speaker table; undefined where the voice has a single speaker. */
function speakerNames(root: JsonReader, numSpeakers: number): (string | undefined)[] {
  if (numSpeakers === 1) return [undefined];
  const names = Array.from({ length: numSpeakers }, (_, index) => String(index));
  const map = root.optionalObject('speaker_id_map');
  for (const name of map.keys()) names[map.integer(name, { from: 0, to: numSpeakers - 1 })] = name;
  return names;
}

/** `en_US-joe-medium` → `Joe (medium)`; what is no such name only gets spaces and a capital. */
function title(name: string): string {
  const [, given, quality] = /^[a-z]{2,3}_[A-Z]{2}-(.+)-(x_low|low|medium|high)$/.exec(name) ?? [];
  const words = (given ?? name).replaceAll(/[_-]+/g, ' ').trim();
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  return quality === undefined ? label : `${label} (${quality.replace('_', ' ')})`;
}
