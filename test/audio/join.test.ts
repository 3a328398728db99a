import { expect } from 'chai';
import { Joiner, type Landing } from '../../src/audio/join.js';
import { concat } from '../../src/audio/waveform.js';
import { joined, noise, pieces, silence, steepest, vowel } from './signals.js';

const RATE = 24000;
const samplesIn = (seconds: number) => Math.round(seconds * RATE);

interface Part {
  samples: Float32Array;
  pauseBefore?: number;
  pauseAfter?: number;
}

interface Joint {
  output: Float32Array;
  landings: Landing[];
}

function join(parts: Part[], cut: (samples: Float32Array) => Iterable<Float32Array> = (all) => [all]): Joint {
  const joiner = new Joiner({ sampleRate: RATE });
  const delivered: Float32Array[] = [];
  const landings = parts.map(({ samples, pauseBefore = 0, pauseAfter = 0 }) => {
    joiner.begin({ pauseBefore, pauseAfter });
    for (const piece of cut(samples)) delivered.push(...joiner.push(piece));
    const end = joiner.end();
    delivered.push(...end.samples);
    return end.landing;
  });
  return { output: concat([...delivered, joiner.finish()]), landings };
}

/** Speech between silences that breathe at −80 dB, as networks leave them. */
function segment(lead: number, speech: number, tail: number, from = 120): Float32Array {
  const voice = vowel({ rate: RATE, seconds: speech, from });
  return joined(noise(RATE, lead, 0.0001, 1), voice, noise(RATE, tail, 0.0001, 2));
}

/** Where 5 ms blocks exceed −50 dB: the first and after the last one, in samples. */
function speechIn(samples: Float32Array): { start: number; end: number } {
  const loud = [...samples.keys()].filter((i) => Math.abs(samples[i]!) > 0.003);
  return { start: loud[0]!, end: loud.at(-1)! + 1 };
}

describe('Joiner', () => {
  const longEdges = [
    { samples: segment(0.3, 0.5, 0.4, 110), pauseAfter: 0.45 },
    { samples: segment(0.02, 0.4, 0.01, 150), pauseBefore: 0.2, pauseAfter: 0.15 },
    { samples: segment(0.2, 0.3, 0.5, 130), pauseAfter: 0.6 },
  ];

  it('puts exactly the asked pause between the speech of two segments', () => {
    const { landings } = join(longEdges);
    expect(landings[1]!.start - landings[0]!.end).to.equal(samplesIn(0.65));
    expect(landings[2]!.start - landings[1]!.end).to.equal(samplesIn(0.15));
  });

  it('finds speech where it is, within the 5 ms that it measures in', () => {
    const { output, landings } = join(longEdges);
    landings.forEach(({ start, end }) => {
      const found = speechIn(output.subarray(start - samplesIn(0.04), end + samplesIn(0.04)));
      expect(found.start - samplesIn(0.04)).to.be.within(0, samplesIn(0.006));
      expect(found.end - samplesIn(0.04) - (end - start)).to.be.within(-samplesIn(0.016), 1);
    });
  });

  it('cuts the first lead to 50 ms and the last tail to 100 ms', () => {
    const { output, landings } = join(longEdges);
    expect(landings[0]!.start).to.equal(samplesIn(0.05));
    expect(landings[0]!.offset).to.be.closeTo(samplesIn(0.05 - 0.3), samplesIn(0.0051));
    expect(output.length - landings[2]!.end).to.equal(samplesIn(0.1));
  });

  it('keeps shorter edges as they are', () => {
    const { output, landings } = join([{ samples: segment(0.03, 0.3, 0.045) }]);
    expect(landings[0]!.offset).to.equal(0);
    expect(output).to.have.length(samplesIn(0.375));
  });

  it('fills the first lead up to a pause that is asked for before it', () => {
    const { landings } = join([{ samples: segment(0.3, 0.3, 0.1), pauseBefore: 0.8 }]);
    expect(landings[0]!.start).to.equal(samplesIn(0.8));
  });

  it('leaves room for fades where no pause is asked for', () => {
    const { landings } = join([{ samples: segment(0, 0.3, 0) }, { samples: segment(0, 0.3, 0) }]);
    expect(landings[1]!.start - landings[0]!.end).to.equal(samplesIn(0.02));
  });

  it('reports where each sample of each segment lands: the speech is there, untouched', () => {
    const { output, landings } = join(longEdges);
    longEdges.forEach(({ samples }, i) => {
      const { offset, length, start, end } = landings[i]!;
      expect(length).to.equal(samples.length);
      const [from, to] = [start + samplesIn(0.005), end - samplesIn(0.005)];
      expect(output.slice(from, to)).to.deep.equal(samples.slice(from - offset, to - offset));
    });
  });

  it('gives the same however the segments are cut', () => {
    const whole = join(longEdges);
    for (const longest of [1, 50, 256, 5000]) {
      expect(join(longEdges, (all) => pieces(all, longest, longest))).to.deep.equal(whole);
    }
  });

  it('holds back only the last 10 ms of speech that goes on', () => {
    const joiner = new Joiner({ sampleRate: RATE });
    joiner.begin({ pauseBefore: 0, pauseAfter: 0 });
    const samples = segment(0.2, 1, 0).subarray(0, samplesIn(0.9));
    const delivered = concat(joiner.push(samples));
    expect(samplesIn(0.9) - samplesIn(0.15) - delivered.length).to.be.within(1, samplesIn(0.01));
  });

  it('keeps a pause inside a segment', () => {
    const inner = joined(segment(0.1, 0.3, 0.4), segment(0.3, 0.3, 0.1));
    const { output, landings } = join([{ samples: inner }]);
    const { offset, start, end } = landings[0]!;
    expect(end - start).to.be.closeTo(samplesIn(1.3), samplesIn(0.011));
    const [from, to] = [start + samplesIn(0.01), end - samplesIn(0.01)];
    expect(output.slice(from, to)).to.deep.equal(inner.slice(from - offset, to - offset));
  });

  it('makes no step steeper than the speech itself, wherever speech is cut off', () => {
    const voice = vowel({ rate: RATE, seconds: 1, from: 120 });
    const abrupt = [0.203, 0.3141, 0.4777].map((seconds) => ({
      samples: voice.subarray(samplesIn(seconds)),
    }));
    const { output } = join(abrupt);
    expect(steepest(joined(silence(RATE, 0.01), output, silence(RATE, 0.01)))).to.be.at.most(steepest(voice));
  });

  it('leaves out a lone click at the edge of a segment', () => {
    const clicked = joined(segment(0.1, 0.3, 0.3), Float32Array.of(0.5, -0.5, 0.3));
    const { landings } = join([{ samples: clicked }]);
    expect(landings[0]!.end - landings[0]!.start).to.be.closeTo(samplesIn(0.3), samplesIn(0.011));
  });

  it('hears a voice that is all under the threshold', () => {
    const soft = segment(0.2, 0.4, 0.2).map((sample) => sample / 1000);
    const { landings } = join([{ samples: soft }]);
    expect(landings[0]!.end - landings[0]!.start).to.be.closeTo(samplesIn(0.4), samplesIn(0.011));
  });

  it('lets a silent segment add nothing but its pauses', () => {
    const [before, after] = [longEdges[0]!, longEdges[2]!];
    const hush = { samples: noise(RATE, 0.5, 0.00005, 3), pauseBefore: 0.1, pauseAfter: 0.2 };
    const { landings } = join([before, hush, after]);
    expect(landings[2]!.start - landings[0]!.end).to.equal(samplesIn(0.45 + 0.1 + 0.2));
    expect(landings[1]!.start).to.be.within(landings[0]!.end, landings[2]!.start);
  });

  it('makes silence of an utterance without speech', () => {
    expect(join([]).output).to.have.length(samplesIn(0.15));
    expect(join([{ samples: silence(RATE, 1), pauseAfter: 0.5 }]).output).to.deep.equal(silence(RATE, 0.5));
  });

  it('refuses samples out of place with a sentence', () => {
    const joiner = new Joiner({ sampleRate: RATE });
    expect(() => joiner.push(silence(RATE, 1))).to.throw(TypeError, 'Expected begin()');
    joiner.begin({ pauseBefore: 0, pauseAfter: 0 });
    expect(() => joiner.begin({ pauseBefore: 0, pauseAfter: 0 })).to.throw(TypeError, 'Expected end()');
  });
});
