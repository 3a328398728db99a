import type { Sentence } from './clauses.js';
import { NEUTRAL, type Script } from './script.js';

/** Nobody listens to more of them. */
const MOST_SYMBOLS = 50;

const SYMBOL = /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}|\p{S}/gu;

/**
 * A text of nothing but emoji and signs: beside words they are decoration and stay silent, alone they are what there
 * is to say, and espeak-ng knows many of their names. Undefined when there are none either.
 */
export function readSymbols({ source, text }: Script): Sentence | undefined {
  const found = firstMatches(text.text);
  const first = found[0];
  const last = found.at(-1);
  if (!first || !last) return undefined;
  const start = text.startOf(first.index);
  const end = text.endOf(last.index + last[0].length - 1);
  const words = found.map(({ 0: symbol, index }) => ({
    text: symbol,
    isIpa: false,
    start: text.startOf(index),
    end: text.endOf(index + symbol.length - 1),
    language: undefined,
    emphasis: undefined,
  }));
  return {
    text: source.slice(start, end),
    start,
    end,
    clauses: [
      { words, mark: '.', prosody: NEUTRAL.prosody, breakBefore: undefined, breakAfter: undefined, cues: [] },
    ],
    closing: 'paragraph',
  };
}

function firstMatches(text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(SYMBOL)) {
    found.push(match);
    if (found.length === MOST_SYMBOLS) break;
  }
  return found;
}
