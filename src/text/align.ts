/** Words [words.from, words.until) that were spoken as the tokens [tokens.from, tokens.until). */
export interface Group {
  words: { from: number; until: number };
  tokens: { from: number; until: number };
}

const MOST_MERGED = 4;
const MOST_SPLIT = 12;
/** How far, in tokens, a word may stand from where it would if all were equally long. */
const BAND = 16;
/** What it costs to merge or split once, in phonemes of difference. */
const UNUSUAL = 0.5;
/** What it costs when a consonant at the beginning is another one. */
const OTHER_BEGINNING = 1;

/**
 * Which words became which tokens of phonemes. espeak-ng says some words as one ("of the" → ʌvðə) and some as several
 * ("a_b"); most of the time their numbers agree and so do they. Else the cheapest way to merge and split them, by
 * their lengths and their first sounds (dynamic programming over both sequences).
 */
export function align(words: readonly string[], tokens: readonly string[]): Group[] {
  if (words.length === tokens.length) return words.map((_, index) => single(index, 1, index, 1));
  if (words.length === 0 || tokens.length === 0) return [];
  return cheapestWay(words, tokens) ?? [single(0, words.length, 0, tokens.length)];
}

function single(word: number, words: number, token: number, tokens: number): Group {
  return { words: { from: word, until: word + words }, tokens: { from: token, until: token + tokens } };
}

/** What the costs are made of, counted once. */
interface Sounds {
  /** Phonemes that the words before each word make together. */
  expected: Float64Array;
  /** Phonemes in the tokens before each token. */
  found: Float64Array;
  wordBeginnings: string[];
  tokenBeginnings: string[];
}

/** One word for one token, several words for one, several tokens for one. */
const MOVES: readonly (readonly [merged: number, split: number])[] = [
  [1, 1],
  ...Array.from({ length: MOST_MERGED - 1 }, (_, index) => [index + 2, 1] as const),
  ...Array.from({ length: MOST_SPLIT - 1 }, (_, index) => [1, index + 2] as const),
];

function cheapestWay(words: readonly string[], tokens: readonly string[]): Group[] | undefined {
  const sounds = soundsOf(words, tokens);
  const width = tokens.length + 1;
  const slope = tokens.length / words.length;
  const costs = new Float64Array((words.length + 1) * width).fill(Infinity);
  const moves = new Uint8Array(costs.length);
  costs[0] = 0;
  for (let word = 0; word < words.length; word++) {
    for (let token = 0; token < tokens.length; token++) {
      const cost = costs[word * width + token]!;
      if (cost === Infinity || Math.abs(token - word * slope) > BAND) continue;
      MOVES.forEach(([merged, split], move) => {
        if (word + merged > words.length || token + split > tokens.length) return;
        const target = (word + merged) * width + token + split;
        const total = cost + costOf(sounds, word, merged, token, split);
        if (total >= costs[target]!) return;
        costs[target] = total;
        moves[target] = move;
      });
    }
  }
  return costs.at(-1) === Infinity ? undefined : walkBack(moves, words.length, tokens.length);
}

function soundsOf(words: readonly string[], tokens: readonly string[]): Sounds {
  return {
    expected: sums(words.map(expectedPhonemes)),
    found: sums(tokens.map(countSounds)),
    wordBeginnings: words.map((word) => word[0]!.toLowerCase()),
    tokenBeginnings: tokens.map((token) => token.replace(/^[ˈˌ]+/, '')[0] ?? ''),
  };
}

function sums(values: readonly number[]): Float64Array {
  const result = new Float64Array(values.length + 1);
  values.forEach((value, index) => (result[index + 1] = result[index]! + value));
  return result;
}

function costOf(sounds: Sounds, word: number, merged: number, token: number, split: number): number {
  const { expected, found, wordBeginnings, tokenBeginnings } = sounds;
  const difference = expected[word + merged]! - expected[word]! - (found[token + split]! - found[token]!);
  const beginning = beginsAlike(wordBeginnings[word]!, tokenBeginnings[token]!) ? 0 : OTHER_BEGINNING;
  return Math.abs(difference) + beginning + UNUSUAL * (merged + split - 2);
}

/** A little fewer than letters; a figure is a word of its own. */
export function expectedPhonemes(word: string): number {
  const figures = word.match(/\p{N}/gu)?.length ?? 0;
  const dots = word.match(/\./g)?.length ?? 0;
  return Math.max(1, (word.length - figures - dots) * 0.85 + figures * 3.5 + dots);
}

function countSounds(token: string): number {
  return token.replace(/[ˈˌːˑ\p{M}]/gu, '').length;
}

function beginsAlike(letter: string, sound: string): boolean {
  if (!'bdfhlmnprstvwz'.includes(letter)) return true;
  return sound === letter || (letter === 'r' && sound === 'ɹ') || 'ðθʃ'.includes(sound);
}

function walkBack(moves: Uint8Array, words: number, tokens: number): Group[] {
  const groups: Group[] = [];
  const width = tokens + 1;
  let word = words;
  let token = tokens;
  while (word > 0 && token > 0) {
    const [merged, split] = MOVES[moves[word * width + token]!]!;
    word -= merged;
    token -= split;
    groups.push(single(word, merged, token, split));
  }
  return groups.reverse();
}
