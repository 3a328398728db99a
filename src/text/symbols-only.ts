import type { Sentence } from './clauses.js';
import { NEUTRAL, type Script } from './script.js';

/** Nobody listens to more of them. */
const MOST_SYMBOLS = 50;

const SYMBOL = /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}|\p{S}/gu;

/**
 * A text of nothing but emoji and signs: beside words they are decoration and stay silent, alone they are what there
 * is to say, and espeak-ng knows many of their names. Undefined when there are none either.
 */
export function readSymbols({ source }: Script): Sentence | undefined {
  const found = Array.from(source.matchAll(SYMBOL)).slice(0, MOST_SYMBOLS);
  const first = found[0];
  const last = found.at(-1);
  if (!first || !last) return undefined;
  const end = last.index + last[0].length;
  const words = found.map(({ 0: text, index }) => ({
    text,
    isIpa: false,
    start: index,
    end: index + text.length,
    language: undefined,
    emphasis: undefined,
  }));
  return {
    text: source.slice(first.index, end),
    start: first.index,
    end,
    clauses: [
      { words, mark: '.', prosody: NEUTRAL.prosody, breakBefore: undefined, breakAfter: undefined, cues: [] },
    ],
    closing: 'paragraph',
  };
}
