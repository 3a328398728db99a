import { expect } from 'chai';
import { SAMPLE_RATES } from '../../src/audio/format.js';
import { openMastering, type MasteringOptions } from '../../src/audio/mastering.js';
import { loadAddon } from '../../src/inference/binding.js';
import { joined, peakOf, pieces, random, samplesOf, speech, steepest, vowel } from './signals.js';
import { compare } from './spectrum.js';

const RATE = 24000;
const CEILING = 10 ** (-1 / 20);
/** Half of the last of 16 bits, and what 32 bits lose before. */
const ROUNDING = 0.5 / 32767 + 1e-6;

function mastered(cut: Iterable<Float32Array>, options: MasteringOptions): Float32Array {
  const mastering = openMastering(loadAddon(), options);
  const parts = Array.from(cut, (piece) => mastering.process(piece));
  return samplesOf(Buffer.concat([...parts, mastering.finish()]));
}

/** No sample differs by more than rounding. */
function expectEqual(actual: Float32Array, expected: Float32Array): void {
  expect(actual).to.have.length(expected.length);
  expect(peakOf(actual.map((sample, i) => sample - expected[i]!))).to.be.at.most(ROUNDING);
}

/** Through a chain that leaves the rate as it is: what remains is the limiter, and rounding. */
function limited(samples: Float32Array, gain: number, cut: Iterable<Float32Array> = [samples]): Float32Array {
  return mastered(cut, { inputRate: RATE, outputRate: RATE, gain });
}

/** Speech with peaks of random height, up to 20 dB above the ceiling, at random places. */
function peaky(seed: number): Float32Array {
  const next = random(seed);
  const samples = speech(RATE, seed);
  for (let i = 0; i < 60; i++) samples[Math.floor(next() * samples.length)] = (next() - 0.5) * 20;
  return samples;
}

describe('Mastering: the limiter', () => {
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
    expectEqual(
      limited(quiet, 1.25),
      quiet.map((sample) => sample * 1.25),
    );
  });

  it('passes gain × input exactly again some time after a peak', () => {
    const [before, after] = [speech(RATE, 1), speech(RATE, 2)];
    const loud = joined(before, Float32Array.of(4), after);
    const settled = loud.length - RATE;
    expectEqual(limited(loud, 1).subarray(settled), loud.subarray(settled));
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
    const roundingOfTwo = 4 * ROUNDING;
    expect(steepest(gains)).to.be.at.most(1 / 120 + roundingOfTwo);
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

describe('Mastering: the rate', () => {
  for (const to of SAMPLE_RATES) {
    it(`brings 22050 Hz to ${to} Hz and back without a change that is heard`, () => {
      const samples = speech(22050);
      const there = convert(samples, 22050, to);
      expect(there).to.have.length(Math.round((samples.length * to) / 22050));
      const back = convert(there, to, 22050);
      const { lag, difference } = compare(convert(samples, 22050, 8000), convert(back, 22050, 8000), 8000);
      expect(lag).to.be.closeTo(0, 0.5);
      expect(difference).to.be.below(0.5);
    });
  }

  function convert(samples: Float32Array, from: number, to: number): Float32Array {
    return mastered(pieces(samples, 3000, 4), { inputRate: from, outputRate: to, gain: 1 });
  }
});

describe('Mastering: 16 bits', () => {
  const steps = (values: number[]): Float32Array => Float32Array.from(values, (value) => value / 32767);

  it('rounds to the nearest', () => {
    const rounded = limited(steps([0, 0.4, 0.6, -0.4, -0.6, 1000.4]), 1);
    expect(rounded).to.deep.equal(steps([0, 0, 1, 0, -1, 1000]));
  });

  it('reads NaN as silence, and infinities as the ceiling at most', () => {
    const wild = limited(Float32Array.of(NaN, Infinity, -Infinity, 0.25), 1);
    expect(wild[0]).to.equal(0);
    expect(peakOf(wild)).to.be.at.most(CEILING + ROUNDING);
  });
});
