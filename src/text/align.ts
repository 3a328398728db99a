/** Words [words.from, words.until) that were spoken as the tokens [tokens.from, tokens.until). */
export interface Group {
  words: { from: number; until: number };
  tokens: { from: number; until: number };
}

const MOST_MERGED = 4;
const MOST_SPLIT = 12;
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

function cheapestWay(words: readonly string[], tokens: readonly string[]): Group[] | undefined {
  const width = tokens.length + 1;
  const costs = new Float64Array((words.length + 1) * width).fill(Infinity);
  const steps: (readonly [number, number] | undefined)[] = new Array((words.length + 1) * width);
  costs[0] = 0;
  for (let word = 0; word < words.length; word++) {
    for (let token = 0; token < tokens.length; token++) {
      const cost = costs[word * width + token]!;
      if (cost === Infinity) continue;
      for (const [merged, split] of MOVES) {
        if (word + merged > words.length || token + split > tokens.length) continue;
        const target = (word + merged) * width + token + split;
        const total = cost + costOf(words, word, merged, tokens, token, split);
        if (total >= costs[target]!) continue;
        costs[target] = total;
        steps[target] = [merged, split];
      }
    }
  }
  return costs.at(-1) === Infinity ? undefined : walkBack(steps, words.length, tokens.length);
}

/** One word for one token, several words for one, several tokens for one. */
const MOVES: readonly (readonly [merged: number, split: number])[] = [
  [1, 1],
  ...Array.from({ length: MOST_MERGED - 1 }, (_, index) => [index + 2, 1] as const),
  ...Array.from({ length: MOST_SPLIT - 1 }, (_, index) => [1, index + 2] as const),
];

function costOf(
  words: readonly string[],
  word: number,
  merged: number,
  tokens: readonly string[],
  token: number,
  split: number,
): number {
  let expected = 0;
  for (let index = word; index < word + merged; index++) expected += expectedPhonemes(words[index]!);
  let found = 0;
  for (let index = token; index < token + split; index++) found += countSounds(tokens[index]!);
  const beginning = beginsAlike(words[word]!, tokens[token]!) ? 0 : OTHER_BEGINNING;
  return Math.abs(expected - found) + beginning + UNUSUAL * (merged + split - 2);
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

function beginsAlike(word: string, token: string): boolean {
  const letter = word[0]!.toLowerCase();
  const sound = token.replace(/^[ˈˌ]+/, '')[0] ?? '';
  if (!/[bdfhlmnprstvwz]/.test(letter)) return true;
  return sound === letter || (letter === 'r' && sound === 'ɹ') || /[ðθʃ]/.test(sound);
}

function walkBack(
  steps: readonly (readonly [number, number] | undefined)[],
  words: number,
  tokens: number,
): Group[] {
  const groups: Group[] = [];
  const width = tokens + 1;
  let word = words;
  let token = tokens;
  while (word > 0 && token > 0) {
    const [merged, split] = steps[word * width + token]!;
    word -= merged;
    token -= split;
    groups.push(single(word, merged, token, split));
  }
  return groups.reverse();
}
