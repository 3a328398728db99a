import { clean } from './clean.js';
import { MappedText } from './mapped-text.js';
import type { Segment } from './utterance.js';

export type Prosody = Segment['prosody'];
export type Emphasis = 'none' | 'reduced' | 'moderate' | 'strong';

/** Markup that settles how a stretch of text is read. */
export type Reading =
  /** Replaced by other text, which is read as usual. */
  | { kind: 'alias'; text: string }
  /** IPA, straight to the voice. */
  | { kind: 'ipa'; phonemes: string }
  | { kind: 'sayAs'; interpretAs: string; format: string | undefined };

export interface Style {
  prosody: Prosody;
  emphasis: Emphasis | undefined;
  /** BCP 47 where markup says so, else the voice's own. */
  language: string | undefined;
}

/** A stretch of the script's text, [start, end), in one style. */
export interface Run {
  start: number;
  end: number;
  style: Style;
  reading?: Reading;
}

/** Something that stands between two characters: before the text's unit `at`. */
export type Cue =
  | { kind: 'break'; at: number; seconds: number }
  | { kind: 'mark'; at: number; name: string }
  | { kind: 'sentence'; at: number }
  | { kind: 'paragraph'; at: number };

/** What is to be read, whether it came as plain text or as SSML. */
export interface Script {
  /** As submitted; the maps of `text` point into it. */
  source: string;
  /** Cleaned, without tags. */
  text: MappedText;
  /** They cover the text without gaps, in order. */
  runs: Run[];
  /** In order. */
  cues: Cue[];
  /** Code points that count against limits and quota. */
  spokenCharacters: number;
}

export const NEUTRAL: Style = {
  prosody: { rate: 1, pitch: 0, volume: 0 },
  emphasis: undefined,
  language: undefined,
};

export function plainScript(source: string): Script {
  const text = clean(MappedText.of(source));
  const runs = text.text === '' ? [] : [{ start: 0, end: text.text.length, style: NEUTRAL }];
  return { source, text, runs, cues: [], spokenCharacters: countCodePoints(source) };
}

/** Unicode code points; half a surrogate pair counts as one. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let unit = 0; unit + 1 < text.length; unit++) {
    if ((text.charCodeAt(unit) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00) pairs += 1;
  }
  return text.length - pairs;
}
