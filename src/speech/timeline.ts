import type { Landing } from '../audio/join.js';
import type { Segment, Utterance } from '../text/utterance.js';
import type { SpeechResult } from './speech.js';

/** A segment's place in the finished audio. */
export interface Placement {
  segment: Segment;
  landing: Landing;
  /** Frames of each id; absent where the voice does not tell. */
  durations: Int32Array | undefined;
}

export interface Rate {
  sampleRate: number;
  /** Samples per frame. */
  hop: number;
}

type Timeline = Pick<SpeechResult, 'sentences' | 'words' | 'marks'>;

/** Seconds of every sentence, word and mark in audio that lasts `duration` seconds. */
export function timeline(
  utterance: Utterance,
  placements: Placement[],
  rate: Rate,
  duration: number,
): Timeline {
  const clamp = (samples: number) => Math.min(Math.max(samples / rate.sampleRate, 0), duration);
  return {
    sentences: sentenceTimes(utterance, placements, clamp),
    words: placements.flatMap((placement) => wordTimes(placement, rate, clamp)),
    marks: placements.flatMap((placement) => markTimes(placement, rate, clamp)),
  };
}

type Clamp = (samples: number) => number;

function sentenceTimes(utterance: Utterance, placements: Placement[], clamp: Clamp): Timeline['sentences'] {
  return utterance.sentences.flatMap(({ text }, index) => {
    const own = placements.filter((placement) => placement.segment.sentence === index);
    const first = own[0];
    const last = own.at(-1);
    if (!first || !last) return [];
    return [{ text, start: clamp(first.landing.start), end: clamp(last.landing.end) }];
  });
}

function wordTimes(placement: Placement, rate: Rate, clamp: Clamp): Timeline['words'] {
  if (!placement.durations) return [];
  const at = sampleOfId(placement, placement.durations, rate);
  return placement.segment.words.map((word) => ({
    offset: word.start,
    length: word.end - word.start,
    start: clamp(at(word.firstId)),
    end: clamp(at(word.endId)),
  }));
}

function markTimes(placement: Placement, rate: Rate, clamp: Clamp): Timeline['marks'] {
  const at = placement.durations && sampleOfId(placement, placement.durations, rate);
  return placement.segment.marks.map(({ name, id }) => ({
    name,
    time: clamp(at ? at(id) : placement.landing.start),
  }));
}

/** Sample in the finished audio at which an id begins; ids past the end begin where the segment ends. */
function sampleOfId({ landing }: Placement, durations: Int32Array, { hop }: Rate): (id: number) => number {
  const begins = new Float64Array(durations.length + 1);
  durations.forEach((frames, id) => (begins[id + 1] = begins[id]! + frames));
  return (id) => landing.offset + begins[Math.min(id, durations.length)]! * hop;
}
