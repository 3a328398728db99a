import { keepsJoiners } from './clean.js';
import { normalise } from './normalise/normalise.js';
import type { Grammar } from './normalise/rules.js';

/** What a voice is told of punctuation. */
export type Mark = '.' | '?' | '!' | ',' | ':' | ';';

/** A word as it is said, or a mark, with the stretch of the text, [start, end), that it stands for. */
export type Token =
  | { kind: 'word'; text: string; start: number; end: number }
  | { kind: 'mark'; mark: Mark; start: number; end: number };

/** Longer "words" are no words; espeak-ng's own buffers are small. */
const LONGEST_WORD = 40;

/** The segmenter looks words up in dictionaries, which takes more than linear time. */
const LONGEST_UNSPACED = 500;

const LETTER = '[\\p{L}\\p{M}\\p{N}\\u200c\\u200d]';
/** An apostrophe or hyphen between letters belongs to the word, and so do the marks inside 3.5 and 14:30. */
const WORD = `${LETTER}+(?:(?:['-]|(?<=\\p{N})[.,:](?=\\p{N}))${LETTER}+)*`;
const MARKS: readonly [Mark, string][] = [
  [',', '\\.{2,}|…|,(?!\\d)|—|--+|(?<=\\s)[-–](?=\\s)|(?<![\\p{L}\\p{N}])\\(|(?<!\\(\\p{L})\\)|[|•]'],
  ['?', '\\?'],
  ['!', '!'],
  [';', ';'],
  [':', ':(?![A-Za-z0-9/])'],
  ['.', '\\.'],
];
const TOKEN = new RegExp(
  `(?<word>${WORD})|${MARKS.map(([, source], index) => `(?<mark${index}>${source})`).join('|')}`,
  'gu',
);

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Words and marks in order: what the grammar's rules claim is said in their words, the rest as it is written. */
export function tokensOf(text: string, grammar: Grammar): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const claim of normalise(text, grammar.rules)) {
    addWritten(tokens, text, at, claim.start);
    addSaid(tokens, claim.words, claim.start, claim.end);
    at = claim.end;
  }
  addWritten(tokens, text, at, text.length);
  return tokens;
}

/** Of words that are ready to be said; a comma after one is a pause. All stand for the same stretch. */
export function tokensOfWords(words: string, start: number, end: number): Token[] {
  const tokens: Token[] = [];
  addSaid(tokens, words, start, end);
  return tokens;
}

function addSaid(tokens: Token[], words: string, start: number, end: number): void {
  for (const [, word, comma] of words.matchAll(/([^\s,]+)(,?)/g)) {
    tokens.push({ kind: 'word', text: word!, start, end });
    if (comma) tokens.push({ kind: 'mark', mark: ',', start: end, end });
  }
}

function addWritten(tokens: Token[], text: string, from: number, until: number): void {
  if (from >= until) return;
  // Cut at the end only, so that what stands before can be looked at.
  const visible = until === text.length ? text : text.slice(0, until);
  TOKEN.lastIndex = from;
  for (let match = TOKEN.exec(visible); match; match = TOKEN.exec(visible)) {
    const { index: start, groups } = match;
    const end = start + match[0].length;
    if (groups!.word === undefined) tokens.push({ kind: 'mark', mark: markOf(groups!), start, end });
    else addWords(tokens, groups!.word, start);
  }
}

function markOf(groups: Record<string, string | undefined>): Mark {
  return MARKS.find((_, index) => groups[`mark${index}`] !== undefined)![0];
}

function addWords(tokens: Token[], written: string, start: number): void {
  if (!UNSPACED.test(written)) return addPieces(tokens, written, start);
  for (let at = 0; at < written.length;) {
    const end = borderAt(written, at + LONGEST_UNSPACED);
    for (const { segment, index, isWordLike } of wordSegmenter.segment(written.slice(at, end))) {
      if (isWordLike) addPieces(tokens, segment, start + at + index);
    }
    at = end;
  }
}

function addPieces(tokens: Token[], written: string, start: number): void {
  for (let at = 0; at < written.length;) {
    const end = borderAt(written, at + LONGEST_WORD);
    const piece = written.slice(at, end);
    const text = keepsJoiners(piece) ? piece : piece.replace(/[\u200c\u200d]/g, '');
    if (text !== '') tokens.push({ kind: 'word', text, start: start + at, end: start + end });
    at = end;
  }
}

/** Not between the halves of a surrogate pair. */
function borderAt(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return /[\udc00-\udfff]/.test(text[index]!) ? index + 1 : index;
}
