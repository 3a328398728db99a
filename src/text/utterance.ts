/**
 * What the text front end makes of a request: the border between `text` and everything after it.
 * Offsets are UTF-16 indices into the text (or SSML) as submitted; `end` is exclusive.
 */
export interface Utterance {
  segments: Segment[];
  /** The sentences as submitted, in order. */
  sentences: { text: string; start: number; end: number }[];
  /** Unicode code points that are spoken: the text's length, without SSML's tags. What limits and quotas count. */
  spokenCharacters: number;
  /** Phonemes that the voice has no id for, with how often they were skipped. */
  skipped: Map<string, number>;
}

/** The unit of synthesis: a clause or sentence that fits the voice, spoken in one run of the network. */
export interface Segment {
  /** `^ _ … _ $`, at most the voice's `maxIds`. */
  ids: Int32Array;
  /** Index into `Utterance.sentences`. */
  sentence: number;
  /** Words in order, with their place in the source and their ids: [firstId, endId). */
  words: { start: number; end: number; firstId: number; endId: number }[];
  /** Seconds of silence that the punctuation or a <break> asks for. */
  pauseBefore: number;
  pauseAfter: number;
  /** From SSML's <prosody>, neutral otherwise: speed multiplier, semitones, decibels. */
  prosody: { rate: number; pitch: number; volume: number };
  /** SSML's <mark>s: the name and the id before which it stands. */
  marks: { name: string; id: number }[];
}

export type SpeechInput = { kind: 'text'; content: string } | { kind: 'ssml'; content: string };

export interface FrontEndOptions {
  signal?: AbortSignal;
  /** For streaming: the first segment is cut at the first clause border after which it has this many characters. */
  firstSegmentCharacters?: number;
}
