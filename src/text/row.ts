import type { Clause } from './clauses.js';
import type { Pronunciation } from './pronounce.js';
import type { Mark } from './tokens.js';

/** Clauses of one sentence, in one prosody and without a break between them, as one row of symbols. */
export interface Row {
  symbols: string[];
  /** In order; [from, until) are symbols, start and end offsets into the source. */
  words: { start: number; end: number; from: number; until: number }[];
  /** Where a clause begins after another one, and the mark between the two. */
  borders: { at: number; mark: Mark | undefined }[];
  /** SSML's <mark>s, each before a symbol. */
  cues: { name: string; at: number }[];
}

/** A clause's mark follows its last symbol; a space stands before the next clause, as between words. */
export function rowOf(clauses: readonly Clause[], pronunciations: readonly Pronunciation[]): Row {
  const row: Row = { symbols: [], words: [], borders: [], cues: [] };
  clauses.forEach((clause, index) => {
    const before = clauses[index - 1];
    if (before) {
      row.symbols.push(' ');
      row.borders.push({ at: row.symbols.length, mark: before.mark });
    }
    addClause(row, clause, pronunciations[index]!);
  });
  return row;
}

function addClause(row: Row, clause: Clause, { symbols, words }: Pronunciation): void {
  const base = row.symbols.length;
  for (const symbol of symbols) row.symbols.push(symbol);
  words.forEach(({ from, until }, index) => {
    const { start, end } = clause.words[index]!;
    row.words.push({ start, end, from: base + from, until: base + until });
  });
  for (const { name, word } of clause.cues) {
    row.cues.push({ name, at: base + (words[word]?.from ?? symbols.length) });
  }
  if (clause.mark) row.symbols.push(clause.mark);
}
