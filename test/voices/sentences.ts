import type { VoiceText } from '../../src/voices/voice.js';

/** Phonemes of sentences of very different lengths, as espeak-ng's en-us gives them. */
export const SENTENCES = [
  'həlˈoʊ.',
  'ðɪs ɪz ɐ sˈɛntəns ʌv ˈɔːɹdᵻnˌɛɹi lˈɛŋθ, wɪð ɐ kˈɑːmə.',
  'wˌaɪ nˈɑːt?',
  'ɪt wʌzɐ bɹˈaɪt kˈoʊld dˈeɪ ɪn ˈeɪpɹəl, ænd ðə klˈɑːks wɜː stɹˈaɪkɪŋ θˈɜːtiːn; wˈɪnstən smˈɪθ slˈɪpt kwˈɪkli θɹuː ðə ɡlˈæs dˈoːɹz.',
];

/** `^ _ p _ … $`, as Piper frames them. */
export function idsOf(text: VoiceText, phonemes: string): Int32Array {
  const ids = (symbol: string): readonly number[] => text.idMap.get(symbol) ?? [];
  const spoken = [...phonemes.normalize('NFD')].flatMap((symbol) => [...ids(symbol), ...ids('_')]);
  return Int32Array.from([...ids('^'), ...ids('_'), ...spoken, ...ids('$')]);
}
