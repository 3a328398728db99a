import { expect } from 'chai';
import { SAMPLE_RATES } from '../../src/audio/format.js';
import { openResampler } from '../../src/audio/resample.js';
import { concat } from '../../src/audio/waveform.js';
import { loadAddon } from '../../src/inference/binding.js';
import { pieces, speech } from './signals.js';
import { compare } from './spectrum.js';

describe('Resampler', () => {
  const addon = loadAddon();

  it('passes samples untouched between equal rates', () => {
    const samples = speech(24000);
    const resampler = openResampler(addon, 24000, 24000);
    expect(resampler.process(samples)).to.equal(samples);
    expect(resampler.finish()).to.have.length(0);
  });

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
    const resampler = openResampler(addon, from, to);
    const parts = Array.from(pieces(samples, 3000, 4), (piece) => resampler.process(piece));
    return concat([...parts, resampler.finish()]);
  }
});
