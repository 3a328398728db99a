import type { Grammar } from './normalise/rules.js';
import type { Script } from './script.js';

/** What ends a sentence beside its punctuation. */
export type Closing = 'sentence' | 'line' | 'paragraph';

/** A stretch of the script's text, [start, end), without white space around it. */
export interface SentenceSpan {
  start: number;
  end: number;
  closing: Closing;
}

/** Lines at least this long that end in no punctuation were most likely wrapped by a program. */
const WRAPPED_COLUMNS = 60;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** In order; lazily, so that a long text can be taken a little at a time. */
export function* sentencesOf(script: Script, grammar: Grammar): Generator<SentenceSpan> {
  for (const block of blocksOf(script)) yield* sentencesOfBlock(script, block, grammar);
}

/** Stretches that end where a sentence must end: at line breaks, and where the markup says so. */
function* blocksOf(script: Script): Generator<SentenceSpan> {
  const { text } = script.text;
  let start = 0;
  for (const border of bordersOf(script)) {
    if (border.at > start) yield { start, end: border.at, closing: border.closing };
    start = Math.max(start, border.at);
  }
  if (start < text.length) yield { start, end: text.length, closing: 'paragraph' };
}

function bordersOf({ text: { text }, cues }: Script): { at: number; closing: Closing }[] {
  const borders: { at: number; closing: Closing }[] = [];
  for (const cue of cues) {
    if (cue.kind === 'sentence' || cue.kind === 'paragraph') borders.push({ at: cue.at, closing: cue.kind });
  }
  let lineStart = 0;
  for (const { 0: breaks, index } of text.matchAll(/\n\s*/g)) {
    const isParagraph = breaks.indexOf('\n') !== breaks.lastIndexOf('\n');
    const end = index + breaks.length;
    if (isParagraph || !isWrapped(text, lineStart, index, end)) {
      borders.push({ at: end, closing: isParagraph ? 'paragraph' : 'line' });
    }
    lineStart = end;
  }
  return borders.sort((a, b) => a.at - b.at);
}

/** Whether the line [lineStart, lineEnd) goes on at `next`. */
function isWrapped(text: string, lineStart: number, lineEnd: number, next: number): boolean {
  const tail = text.slice(Math.max(lineStart, lineEnd - 8), lineEnd).trimEnd();
  if (/[.!?:;…]["')\]]?$/.test(tail)) return false;
  const head = text.slice(next, next + 8);
  if (/^(?:[-*•‣◦▪–+#>]|\d{1,3}[.)])\s/.test(head)) return false;
  return /^\p{Ll}/u.test(head) || lineEnd - lineStart >= WRAPPED_COLUMNS;
}

function* sentencesOfBlock(script: Script, block: SentenceSpan, grammar: Grammar): Generator<SentenceSpan> {
  // What line breaks are left in a block only wrap its lines; to the segmenter every one is an end.
  const text = script.text.text.slice(block.start, block.end).replaceAll('\n', ' ');
  let start = 0;
  for (const end of likelyEnds(text, grammar)) {
    if (end < text.length && goesOn(text, start, end, grammar)) continue;
    if (end < text.length && isInsideReading(script, block.start + end)) continue;
    const closing = end === text.length ? block.closing : 'sentence';
    const span = trimmed(script.text.text, block.start + start, block.start + end);
    if (span) yield { ...span, closing };
    start = end;
  }
}

/**
 * Where the Unicode rules (UAX 29) see the end of a sentence, and, in a language whose abbreviations are known, also
 * where a full stop is followed by a small letter or a figure.
 */
function* likelyEnds(text: string, grammar: Grammar): Generator<number> {
  for (const { index, segment } of segmenter.segment(text)) {
    if (grammar.language) {
      for (const match of segment.matchAll(/(?<=(?:\p{Ll}{2}|\p{N})["')\]]?)\.["')\]]?\s+(?=[\p{Ll}\d])/gu)) {
        const end = index + match.index + match[0].length;
        if (!isAbbreviation(text.slice(0, index + match.index + 1), grammar)) yield end;
      }
    }
    yield index + segment.length;
  }
}

/** Whether the last word of the text, its full stop included, is one that is read otherwise than it is written. */
function isAbbreviation(text: string, grammar: Grammar): boolean {
  const { language, neverLast, sometimesLast, beforeFigures } = grammar;
  const [word = ''] = /[^\s("']{1,20}$/u.exec(text.slice(-21)) ?? [];
  const bare = word.slice(0, -1);
  return (
    language!.abbreviations.has(word) ||
    language!.units.has(bare) ||
    beforeFigures.has(bare) ||
    neverLast.has(bare) ||
    sometimesLast.has(bare) ||
    /\p{L}\..|\..*\p{L}/u.test(bare)
  );
}

/** Whether the border that the segmenter has found at `end` is none. */
function goesOn(text: string, start: number, end: number, grammar: Grammar): boolean {
  const before = text.slice(Math.max(start, end - 48), end);
  const after = text.slice(end, end + 24);
  if (/\S$/.test(before) && /^[\p{Script=Latin}\p{N}]/u.test(after)) return true;
  if (/[!?]["')\]]\s*$/.test(before) && /^\p{Ll}/u.test(after)) return true;
  const [, previous, last] = /(?:(\S{1,20})\s)?["'([]?(\S{1,20})\.["')\]]?\s*$/.exec(before) ?? [];
  if (last === undefined) return false;
  if (grammar.neverLast.has(last)) return true;
  if (grammar.beforeFigures.has(last) && /^[\d#(]/.test(after)) return true;
  if (/^\d{1,3}$/.test(last) && previous === undefined && end - start < 12) return true;
  const isInitial = /^\p{Lu}$/u.test(last) && (previous === undefined || isNearName(previous, after));
  const isDotted = /^\p{L}(?:\.\p{L}){1,5}$/u.test(last);
  if (!isInitial && !isDotted && !grammar.sometimesLast.has(last)) return false;
  const [next = ''] = /^\p{L}+/u.exec(after) ?? [];
  return !grammar.sentenceOpeners.has(next);
}

/** Whether a single capital after this word is an initial: "Ben J. …", "with J. …", "J. R. …", but not "vitamin C. …". */
function isNearName(previous: string, after: string): boolean {
  return /^[("']?\p{Lu}|^\p{Ll}{1,4}$/u.test(previous) || /^\p{Lu}\./u.test(after);
}

/** What is read as a whole ends no sentence: the full stop of an abbreviation with an alias is not heard. */
function isInsideReading({ runs, text: { text } }: Script, at: number): boolean {
  const last = runs.findLast((run) => run.reading !== undefined && run.start < at);
  return last !== undefined && text.slice(last.end, at).trim() === '';
}

function trimmed(text: string, start: number, end: number): { start: number; end: number } | undefined {
  const stretch = text.slice(start, end);
  const lead = stretch.length - stretch.trimStart().length;
  if (lead === stretch.length) return undefined;
  return { start: start + lead, end: end - (stretch.length - stretch.trimEnd().length) };
}
