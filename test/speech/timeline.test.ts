import { expect } from 'chai';
import { timeline, type Placement } from '../../src/speech/timeline.js';
import type { Segment, Utterance } from '../../src/text/utterance.js';

const RATE = { sampleRate: 1000, hop: 10 };

function segment(sentence: number, changes: Partial<Segment> = {}): Segment {
  return {
    ids: new Int32Array(4),
    sentence,
    words: [],
    pauseBefore: 0,
    pauseAfter: 0,
    prosody: { rate: 1, pitch: 0, volume: 0 },
    marks: [],
    ...changes,
  };
}

function utterance(segments: Segment[], sentences: string[]): Utterance {
  return {
    segments,
    sentences: sentences.map((text) => ({ text, start: 0, end: text.length })),
    spokenCharacters: 0,
    skipped: new Map(),
  };
}

function placed(segment: Segment, offset: number, durations?: number[]): Placement {
  const length = 400;
  const landing = { offset, length, start: offset + 50, end: offset + 350 };
  return { segment, landing, durations: durations && Int32Array.from(durations) };
}

describe('The timeline', () => {
  it('places words by the frames of their ids, from where the segment landed', () => {
    const words = [
      { start: 0, end: 4, firstId: 1, endId: 2 },
      { start: 5, end: 8, firstId: 2, endId: 4 },
    ];
    const spoken = segment(0, { words });
    const placement = placed(spoken, 100, [5, 10, 20, 5]);
    const { words: times } = timeline(utterance([spoken], ['Loud now']), [placement], RATE, 2);
    expect(times).to.deep.equal([
      { offset: 0, length: 4, start: 0.15, end: 0.25 },
      { offset: 5, length: 3, start: 0.25, end: 0.5 },
    ]);
  });

  it('tells no words where the voice does not tell durations, and marks by their segment', () => {
    const spoken = segment(0, {
      words: [{ start: 0, end: 4, firstId: 1, endId: 2 }],
      marks: [{ name: 'here', id: 3 }],
    });
    const told = timeline(utterance([spoken], ['Loud']), [placed(spoken, 100)], RATE, 2);
    expect(told.words).to.deep.equal([]);
    expect(told.marks).to.deep.equal([{ name: 'here', time: 0.15 }]);
  });

  it('spans a sentence over all of its segments, and leaves out what was not spoken', () => {
    const segments = [segment(0), segment(0), segment(2)];
    const placements = segments.map((each, index) => placed(each, index * 500));
    const { sentences } = timeline(utterance(segments, ['One, two.', '—', 'Three.']), placements, RATE, 2);
    expect(sentences).to.deep.equal([
      { text: 'One, two.', start: 0.05, end: 0.85 },
      { text: 'Three.', start: 1.05, end: 1.35 },
    ]);
  });

  it('never tells a time outside the audio', () => {
    const spoken = segment(0, {
      words: [{ start: 0, end: 4, firstId: 0, endId: 4 }],
      marks: [{ name: 'end', id: 99 }],
    });
    const told = timeline(utterance([spoken], ['Loud']), [placed(spoken, -30, [10, 10, 10, 100])], RATE, 0.5);
    expect(told.words[0]).to.include({ start: 0, end: 0.5 });
    expect(told.marks[0]).to.include({ time: 0.5 });
  });
});
