import { expect } from 'chai';
import { readText } from '../../src/text/read-text.js';

/** What is said for a text, as one line. */
export function said(content: string, language: string): string {
  return readText({ kind: 'text', content }, language)
    .map((sentence) => sentence.words)
    .join(' ');
}

/** One test for every row: what is written, and what is said for it (the last full stop left out). */
export function itReads(language: string, rows: readonly (readonly [written: string, said: string])[]): void {
  for (const [written, expected] of rows) {
    it(`${language}: ${JSON.stringify(written)}`, () => {
      expect(said(written, language).replace(/\.$/, '')).to.equal(expected);
    });
  }
}
