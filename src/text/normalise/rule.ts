/**
 * One way of reading something that is not written as it is said.
 *
 * Patterns are global and Unicode-aware, and take time linear in the text: quantifiers are bounded or range over a
 * class that what follows can't begin with, and a match begins at a boundary, so that a long run of one character is
 * tried once and not at each of its characters.
 */
export interface Rule {
  name: string;
  pattern: RegExp;
  /** It can't match a text without figures, which most sentences are: not tried there. */
  needsFigures?: boolean;
  /** The words that are said; '' for nothing; undefined leaves the match to later rules. */
  read: (match: RegExpExecArray) => string | undefined;
}

/** A stretch of the text, [start, end), and what is said for it. */
export interface Claim {
  start: number;
  end: number;
  words: string;
}

/** Of rules that match no text without figures, but for those that say otherwise. */
export function ofFigures(rules: Rule[]): Rule[] {
  return rules.map((rule) => ({ needsFigures: true, ...rule }));
}

/** An alternation of literal words, the longest first. */
export function anyOf(words: Iterable<string>): string {
  const escaped = [...new Set(words)].map((word) => word.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&'));
  return `(?:${escaped.sort((a, b) => b.length - a.length).join('|')})`;
}

/** Not in the middle of a word or number. */
export const AFTER_WORD = '(?![\\p{L}\\p{M}\\p{N}])';
/** Not in the middle of a number, its decimals or its groups included. */
export const BEFORE_NUMBER = '(?<![\\p{L}\\p{N}]|\\d[.,])';
export const AFTER_NUMBER = '(?![\\p{L}\\p{N}]|[.,]\\d)';
