import { referenceIds } from '../../voices/reference-ids.js';
import type { Voice } from '../../voices/voice.js';
import type { Row } from '../binding.js';

/** Lengths in reference sentences, as mixed as people's texts are; the longest first, so that all lanes end together. */
const SHARES = [1.9, 1.4, 1, 0.8, 0.6, 0.4, 0.25, 0.15];

/** The rows by which settings are compared: the same in every round and on every machine. */
export function referenceRows({ text, scales }: Pick<Voice, 'text' | 'scales'>): Row[] {
  return SHARES.map((share, seed) => ({ ids: idsOf(text, share), ...scales, speaker: 0, seed }));
}

function idsOf(text: Voice['text'], share: number): Int32Array {
  const whole = Math.floor(share);
  const parts = [...Array.from({ length: whole }, () => 1), share - whole].filter((part) => part > 0.01);
  const ids = parts.flatMap((part) => [...referenceIds(text, part)]);
  return Int32Array.from(ids.slice(0, text.maxIds));
}
