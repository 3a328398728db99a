import { expect } from 'chai';
import { LoudnessContour, LoudnessMatch } from '../../src/audio/loudness.js';
import { concat } from '../../src/audio/waveform.js';
import { joined, peakOf, pieces, silence, speech, vowel } from './signals.js';

const RATE = 24000;

function contourOf(samples: Float32Array): LoudnessContour {
  const contour = new LoudnessContour(RATE);
  contour.push(joined(samples, silence(RATE, 0.03)));
  return contour;
}

function matched(samples: Float32Array, model: Float32Array, longest = 3000): Float32Array {
  const match = new LoudnessMatch(contourOf(model), model.length / samples.length);
  const parts = Array.from(pieces(samples, longest, 1), (piece) => match.process(piece));
  return concat([...parts, match.finish()]);
}

describe('LoudnessMatch', () => {
  it('leaves a signal as it is that already has the loudness', () => {
    const samples = speech(RATE);
    expect(peakOf(matched(samples, samples).map((sample, i) => sample - samples[i]!))).to.be.below(1e-6);
  });

  it('gives one voice the rise and fall of another', () => {
    const steady = vowel({ rate: RATE, seconds: 1, from: 150, peak: 0.5 });
    const model = steady.map((sample, i) => sample * (0.6 + 0.4 * Math.sin(i / 2000)));
    const [wanted, found] = [contourOf(model), contourOf(matched(steady, model))];
    for (let at = RATE * 0.1; at < RATE * 0.9; at += 500) {
      expect(20 * Math.log10(found.at(at) / wanted.at(at))).to.be.closeTo(0, 1);
    }
  });

  it('follows a model of another speed', () => {
    const steady = vowel({ rate: RATE, seconds: 2, from: 150 });
    const model = joined(vowel({ rate: RATE, seconds: 0.5, from: 150 }), silence(RATE, 0.5));
    const output = matched(steady, model);
    expect(peakOf(output.subarray(RATE * 1.1))).to.be.below(peakOf(output.subarray(0, RATE * 0.9)) / 9);
  });

  it('is the same however the samples are cut, and as long', () => {
    const [samples, model] = [speech(RATE, 1), speech(RATE, 2)];
    const whole = matched(samples, model);
    expect(whole).to.have.length(samples.length);
    for (const longest of [1, 100, 50_000]) expect(matched(samples, model, longest)).to.deep.equal(whole);
  });
});
