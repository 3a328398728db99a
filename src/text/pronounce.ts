import { isLantangError } from '../errors.js';
import type { VoiceText } from '../voices/voice.js';
import { align, expectedPhonemes, type Group } from './align.js';
import type { Clause, Word } from './clauses.js';
import { espeakVoiceOf, voiceOfScript } from './languages.js';
import type { Emphasis } from './script.js';

/** What turns clauses into phonemes; see `phonemizer-pool.ts`. */
export interface ClausePhonemizer {
  phonemise(voice: string, clauses: readonly string[], signal?: AbortSignal): Promise<string[]>;
}

/** A clause as the voice will hear it, still without punctuation. */
export interface Pronunciation {
  /** IPA as it came, for people. */
  phonemes: string;
  /** NFD code points; a space between words. */
  symbols: string[];
  /** For every word of the clause its symbols, [from, until). */
  words: { from: number; until: number }[];
}

/** Words of a clause that one espeak-ng voice reads, or that are IPA already. */
interface Part {
  voice: string | undefined;
  words: readonly Word[];
}

/** Syllable breaks and the like, which a voice would take for punctuation, and its own signs of start, pad and end. */
const NOT_SPOKEN = /[.,;!?^_$"()[\]{}<>|/\\-]/g;
const LANGUAGE_FLAG = /\([a-z][a-z0-9-]{0,20}\)/g;
const VOWEL = /[aeiouyæøœɐɑɒɔɘəɚɛɜɞɤɨɪɯɵɶʉʊʌʏᵻ]/u;

/** Of every clause, in order; one round trip for each voice that reads some of them. */
export async function pronounce(
  clauses: readonly Clause[],
  voice: VoiceText,
  phonemizer: ClausePhonemizer,
  signal?: AbortSignal,
): Promise<Pronunciation[]> {
  if (voice.phonemeType === 'text') return clauses.map((clause) => spelled(clause, voice));
  const parts = clauses.map((clause) => partsOf(clause, voice));
  const phonemesOf = await askForAll(parts.flat(), voice.espeakVoice, phonemizer, signal);
  return parts.map((own) => joined(own, phonemesOf));
}

/** For a voice of characters: the words themselves. */
function spelled({ words }: Clause, { idMap }: VoiceText): Pronunciation {
  const texts = words.map(({ text }) =>
    Array.from(text.normalize('NFD'), (symbol) => (idMap.has(symbol) ? symbol : symbol.toLowerCase())),
  );
  return {
    phonemes: words.map(({ text }) => text).join(' '),
    ...laidOut(
      texts,
      texts.map((_, index) => ({ words: at(index), tokens: at(index) })),
      words.map(({ text }) => text),
    ),
  };
}

function at(index: number): { from: number; until: number } {
  return { from: index, until: index + 1 };
}

function partsOf({ words }: Clause, voice: VoiceText): Part[] {
  const parts: { voice: string | undefined; words: Word[] }[] = [];
  let emphasis: Emphasis | undefined;
  for (const word of words) {
    const reader = word.isIpa ? undefined : readerOf(word, voice);
    const last = parts.at(-1);
    // A stressed word is asked alone, or it might be merged with its neighbours.
    if (last && last.voice === reader && emphasis === word.emphasis) last.words.push(word);
    else parts.push({ voice: reader, words: [word] });
    emphasis = word.emphasis;
  }
  return parts;
}

function readerOf({ text, language }: Word, { espeakVoice }: VoiceText): string {
  const own = language === undefined ? espeakVoice : espeakVoiceOf(language, espeakVoice);
  return voiceOfScript(text, own) ?? own;
}

async function askForAll(
  parts: readonly Part[],
  ownVoice: string,
  phonemizer: ClausePhonemizer,
  signal?: AbortSignal,
): Promise<Map<Part, string>> {
  const byVoice = new Map<string, Part[]>();
  for (const part of parts) {
    if (part.voice === undefined) continue;
    const own = byVoice.get(part.voice);
    if (own) own.push(part);
    else byVoice.set(part.voice, [part]);
  }
  const found = new Map<Part, string>();
  const asked = [...byVoice].map(async ([voice, askedParts]) => {
    const texts = askedParts.map(({ words }) => words.map(({ text }) => text).join(' '));
    const answers = await askOf(voice, ownVoice, texts, phonemizer, signal);
    askedParts.forEach((part, index) => found.set(part, answers[index]!));
  });
  await Promise.all(asked);
  return found;
}

/** A language that espeak-ng lacks is read by the voice's own. */
async function askOf(
  voice: string,
  own: string,
  texts: string[],
  phonemizer: ClausePhonemizer,
  signal?: AbortSignal,
): Promise<string[]> {
  try {
    return await phonemizer.phonemise(voice, texts, signal);
  } catch (error) {
    if (voice === own || !isLantangError(error, 'phonemizer_voice_unknown')) throw error;
    return phonemizer.phonemise(own, texts, signal);
  }
}

function joined(parts: readonly Part[], phonemesOf: ReadonlyMap<Part, string>): Pronunciation {
  const tokens: string[] = [];
  const groups: Group[] = [];
  const words: Word[] = [];
  for (const part of parts) {
    const own = tokensOf(phonemesOf.get(part) ?? typedIpa(part.words));
    for (const group of align(
      part.words.map(({ text }) => text),
      own,
    ))
      groups.push(shifted(group, words.length, tokens.length));
    tokens.push(...own);
    words.push(...part.words);
  }
  stressGroups(tokens, groups, words);
  const symbols = tokens.map((token) => Array.from(token.normalize('NFD')));
  return {
    phonemes: tokens.join(' '),
    ...laidOut(
      symbols,
      groups,
      words.map(({ text }) => text),
    ),
  };
}

function tokensOf(phonemes: string): string[] {
  return phonemes.replace(LANGUAGE_FLAG, '').replace(NOT_SPOKEN, '').split(/\s+/).filter(Boolean);
}

/** IPA as people type it: an apostrophe for the stress, a colon for length, a plain g. */
function typedIpa(words: readonly Word[]): string {
  const typed = words.map(({ text }) => text).join(' ');
  return typed.replaceAll("'", 'ˈ').replaceAll(':', 'ː').replaceAll('g', 'ɡ');
}

function shifted({ words, tokens }: Group, byWords: number, byTokens: number): Group {
  return {
    words: { from: words.from + byWords, until: words.until + byWords },
    tokens: { from: tokens.from + byTokens, until: tokens.until + byTokens },
  };
}

function stressGroups(tokens: string[], groups: readonly Group[], words: readonly Word[]): void {
  for (const group of groups) {
    const emphasis = words[group.words.from]!.emphasis;
    if (emphasis === undefined || emphasis === 'none') continue;
    for (let index = group.tokens.from; index < group.tokens.until; index++) {
      tokens[index] = stressed(tokens[index]!, emphasis);
    }
  }
}

/** Emphasis is stress: a pause around the word, which a segment of its own would make, is not. */
function stressed(token: string, emphasis: Emphasis): string {
  if (emphasis === 'reduced') return token.replaceAll('ˈ', 'ˌ');
  if (token.includes('ˈ')) return token;
  return token.includes('ˌ') ? token.replace('ˌ', 'ˈ') : token.replace(VOWEL, 'ˈ$&');
}

/** One row of symbols, and each word's part of it; words said as one share its symbols by their lengths. */
function laidOut(
  tokens: readonly (readonly string[])[],
  groups: readonly Group[],
  words: readonly string[],
): Pick<Pronunciation, 'symbols' | 'words'> {
  const symbols: string[] = [];
  const starts: number[] = [];
  for (const token of tokens) {
    if (symbols.length > 0) symbols.push(' ');
    starts.push(symbols.length);
    symbols.push(...token);
  }
  const ranges: { from: number; until: number }[] = [];
  for (const group of groups) {
    const from = starts[group.tokens.from]!;
    const last = group.tokens.until - 1;
    share(ranges, group, words, from, starts[last]! + tokens[last]!.length);
  }
  return { symbols, words: filled(ranges, words.length) };
}

/** A word of which nothing is heard stands where the one before it ends. */
function filled(
  ranges: readonly ({ from: number; until: number } | undefined)[],
  count: number,
): Pronunciation['words'] {
  let end = 0;
  return Array.from({ length: count }, (_, index) => {
    const range = ranges[index] ?? { from: end, until: end };
    end = range.until;
    return range;
  });
}

function share(
  ranges: { from: number; until: number }[],
  { words: { from: first, until } }: Group,
  words: readonly string[],
  from: number,
  end: number,
): void {
  const lengths = words.slice(first, until).map(expectedPhonemes);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let sum = 0;
  lengths.forEach((length, index) => {
    const start = from + Math.round(((end - from) * sum) / total);
    sum += length;
    ranges[first + index] = { from: start, until: from + Math.round(((end - from) * sum) / total) };
  });
}
