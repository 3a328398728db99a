import type { VoiceText } from './voice.js';

/** "The quick brown fox jumps over the lazy dog, and the rain keeps falling." in espeak-ng's en-us phonemes. */
const PHONEMES = 'ðə kwˈɪk bɹˈaʊn fˈɑːks dʒˈʌmps ˌoʊvɚ ðə lˈeɪzi dˈɑːɡ, ænd ðə ɹˈeɪn kˈiːps fˈɔːlɪŋ.';
const LETTERS = 'the quick brown fox jumps over the lazy dog, and the rain keeps falling.';
/** Fewer known symbols than this make no sentence. */
const LEAST_SYMBOLS = 8;

/**
 * Ids of a sentence that any voice can be made to say, for comparing graphs and measuring loudness: what it lacks
 * symbols for is left out, and a voice of a script without any of them says the first symbols that it knows.
 * `share` shortens the sentence.
 */
export function referenceIds({ idMap, phonemeType }: VoiceText, share = 1): Int32Array {
  const sentence = [...(phonemeType === 'text' ? LETTERS : PHONEMES).normalize('NFD')];
  const known = sentence.filter((symbol) => idMap.has(symbol));
  const symbols = known.length >= LEAST_SYMBOLS ? known : [...idMap.keys()].slice(0, sentence.length);
  const spoken = symbols.slice(0, Math.ceil(symbols.length * share));
  const idsOf = (symbol: string) => idMap.get(symbol) ?? [];
  const pad = idsOf('_');
  return Int32Array.from([
    ...idsOf('^'),
    ...pad,
    ...spoken.flatMap((symbol) => [...idsOf(symbol), ...pad]),
    ...idsOf('$'),
  ]);
}
