import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { VoiceText } from '../../src/voices/voice.js';

const ROOT = new URL('../../../', import.meta.url);

interface Published {
  espeak: { voice: string };
  phoneme_id_map: Record<string, number[]>;
}

/** The id map of the embedded voice, which is that of every voice of the project. */
function published(): Published {
  const candidates = [
    new URL('models/english.onnx.json', ROOT),
    new URL('../shared/voice/english-woman.onnx.json', ROOT),
  ];
  const found = candidates.map((url) => fileURLToPath(url)).find((path) => existsSync(path));
  if (!found) throw new Error('The embedded voice is missing in models/.');
  return JSON.parse(readFileSync(found, 'utf8')) as Published;
}

/** As the voices' room reads it from the published json. */
export function englishVoice(changes: Partial<VoiceText> = {}): VoiceText {
  const { espeak, phoneme_id_map } = published();
  return {
    espeakVoice: espeak.voice,
    language: 'en-US',
    phonemeType: 'espeak',
    idMap: new Map(Object.entries(phoneme_id_map)),
    maxIds: 1000,
    ...changes,
  };
}

export function indonesianVoice(changes: Partial<VoiceText> = {}): VoiceText {
  return englishVoice({ espeakVoice: 'id', language: 'id', ...changes });
}

/** The symbols that the ids stand for, without the padding. */
export function symbolsOf(ids: Int32Array | number[], { idMap }: VoiceText): string {
  const names = new Map([...idMap].map(([symbol, [id]]) => [id, symbol]));
  return Array.from(ids, (id) => names.get(id)!)
    .filter((symbol) => symbol !== '_')
    .join('');
}
