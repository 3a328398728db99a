import { readRegular } from './regular-file.js';

const LONGEST_LICENCE = 200;
const MOST_BYTES = 1 << 20;

/**
 * The licence that a `MODEL_CARD`, as the Piper project puts beside its voices, states in a line `* License: …`.
 * Undefined where there is no card or no such line.
 */
export async function readModelCard(path: string): Promise<string | undefined> {
  const text = await readRegular(path, MOST_BYTES).catch(() => '');
  const licence = /^[\s*-]*licen[cs]e:[ \t]*(\S.*)$/im.exec(text)?.[1]?.trim();
  return licence?.slice(0, LONGEST_LICENCE);
}
