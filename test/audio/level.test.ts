import { expect } from 'chai';
import { Limiter } from '../../src/audio/level.js';
import { concat } from '../../src/audio/waveform.js';
import { joined, peakOf, pieces, random, speech, steepest, vowel } from './signals.js';

const RATE = 24000;
const CEILING = 10 ** (-1 / 20);
/** The limiter computes in 64 bits and gives 32. */
const ROUNDING = 1e-6;

function limited(samples: Float32Array, gain: number, cut: Iterable<Float32Array> = [samples]): Float32Array {
  const limiter = new Limiter({ sampleRate: RATE, gain });
  const parts = Array.from(cut, (piece) => limiter.process(piece));
  return concat([...parts, limiter.finish()]);
}

/** Speech with peaks of random height, up to 20 dB above the ceiling, at random places. */
function peaky(seed: number): Float32Array {
  const next = random(seed);
  const samples = speech(RATE, seed);
  for (let i = 0; i < 60; i++) samples[Math.floor(next() * samples.length)] = (next() - 0.5) * 20;
  return samples;
}

describe('Limiter', () => {
  it('gives as many samples as it took, also fewer than its look-ahead, and none for none', () => {
    for (const length of [0, 1, 2, 59, 118, 119, 120, 121, 5000]) {
      expect(limited(vowel({ rate: RATE, seconds: 1, from: 100 }).subarray(0, length), 3)).to.have.length(
        length,
      );
    }
  });

  it('holds the ceiling for any peaks and gain', () => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(peakOf(limited(peaky(seed), 1 + seed / 4))).to.be.at.most(CEILING + ROUNDING);
    }
  });

  it('passes gain × input exactly where nothing exceeds the ceiling', () => {
    const quiet = speech(RATE);
    expect(limited(quiet, 1.25)).to.deep.equal(quiet.map((sample) => sample * 1.25));
  });

  it('passes gain × input exactly again some time after a peak', () => {
    const [before, after] = [speech(RATE, 1), speech(RATE, 2)];
    const loud = joined(before, Float32Array.of(4), after);
    const settled = loud.length - RATE;
    expect(limited(loud, 1).subarray(settled)).to.deep.equal(loud.subarray(settled));
  });

  it('gives the same however the signal is cut', () => {
    const samples = peaky(3);
    const whole = limited(samples, 2);
    for (const longest of [1, 7, 119, 120, 3000]) {
      expect(limited(samples, 2, pieces(samples, longest, longest))).to.deep.equal(whole);
    }
  });

  it('never lets its gain jump: no step is larger than a ramp over the look-ahead', () => {
    const steady = new Float32Array(RATE).fill(0.5);
    steady.fill(3, RATE / 2, RATE / 2 + 40);
    const output = limited(steady, 1);
    const gains = output.map((sample, i) => sample / steady[i]!);
    expect(steepest(gains)).to.be.at.most(1 / 120 + ROUNDING);
    expect(Math.min(...gains)).to.be.closeTo(CEILING / 3, 1e-3);
  });

  it('does not pump on a steady loud voice', () => {
    const loud = vowel({ rate: RATE, seconds: 2, from: 120, peak: 2 });
    const output = limited(loud, 1);
    const gains = [...output.keys()]
      .filter((i) => i > RATE / 2 && i < RATE * 1.9 && Math.abs(loud[i]!) > 0.2)
      .map((i) => output[i]! / loud[i]!);
    expect(20 * Math.log10(Math.max(...gains) / Math.min(...gains))).to.be.below(1.5);
  });
});
