import type { Closing } from './sentences.js';
import type { Mark } from './tokens.js';

/** Seconds of silence after a segment, by the mark that ends it. Inside a segment the network pauses by itself. */
const AFTER_MARK: Record<Mark, number> = { '.': 0.3, '?': 0.32, '!': 0.32, ':': 0.2, ';': 0.2, ',': 0.12 };
const AFTER_LINE = 0.4;
const AFTER_PARAGRAPH = 0.75;
/** Where a segment was cut only because it was too long. */
const AFTER_CUT = 0.02;

/** `closing` tells what ends the sentence; undefined inside of one. */
export function pauseAfter(mark: Mark | undefined, closing: Closing | undefined): number {
  const ofMark = mark === undefined ? AFTER_CUT : AFTER_MARK[mark];
  if (closing === 'paragraph') return AFTER_PARAGRAPH;
  return closing === 'line' ? Math.max(ofMark, AFTER_LINE) : ofMark;
}
