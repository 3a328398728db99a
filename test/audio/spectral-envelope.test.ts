import { expect } from 'chai';
import { Colouring, SpectralEnvelope, Whitening } from '../../src/audio/spectral-envelope.js';
import { concat } from '../../src/audio/waveform.js';
import { AH, peakOf, pieces, speech, vowel } from './signals.js';
import { formantNear, powerSpectrum } from './spectrum.js';

const RATE = 24000;

function whitened(samples: Float32Array, longest = 4000): { rest: Float32Array; envelope: SpectralEnvelope } {
  const envelope = new SpectralEnvelope(RATE);
  const whitening = new Whitening(envelope);
  const parts = Array.from(pieces(samples, longest, 1), (piece) => whitening.process(piece));
  return { rest: concat([...parts, whitening.finish()]), envelope };
}

/** Decibels between the strongest and the weakest third of an octave from 200 Hz to 5 kHz. */
function unevenness(samples: Float32Array): number {
  const power = new Float64Array(1024);
  for (let at = 0; at + 2048 <= samples.length; at += 1024) {
    powerSpectrum(samples.subarray(at, at + 2048)).forEach((value, bin) => (power[bin]! += value));
  }
  const bin = (hertz: number) => Math.round((hertz * 2048) / RATE);
  const levels = Array.from({ length: 14 }, (_, i) => {
    const band = power.subarray(bin(200 * 2 ** (i / 3)), bin(200 * 2 ** ((i + 1) / 3)));
    return 10 * Math.log10(band.reduce((sum, value) => sum + value, 0) / band.length);
  });
  return Math.max(...levels) - Math.min(...levels);
}

describe('SpectralEnvelope', () => {
  const glide = vowel({ rate: RATE, seconds: 1, from: 100, to: 150 });

  it('is taken out: what is left of a vowel is nearly flat', () => {
    expect(unevenness(glide)).to.be.above(35);
    expect(unevenness(whitened(glide).rest)).to.be.below(unevenness(glide) / 1.5);
  });

  it('gives the signal back when it is put on again', () => {
    for (const samples of [glide, speech(RATE), new Float32Array(5000)]) {
      const { rest, envelope } = whitened(samples);
      const again = new Colouring(envelope, 1).process(rest);
      expect(again).to.have.length(samples.length);
      expect(peakOf(again.map((sample, i) => sample - samples[i]!))).to.be.below(1e-5);
    }
  });

  it('is the same however the samples are cut', () => {
    const samples = speech(RATE);
    const { rest } = whitened(samples);
    for (const longest of [1, 100, 7000]) expect(whitened(samples, longest).rest).to.deep.equal(rest);
  });

  it('gives its formants to another pitch', () => {
    const { envelope } = whitened(vowel({ rate: RATE, seconds: 1, from: 120 }));
    const pulses = whitened(
      vowel({ rate: RATE, seconds: 1, from: 150, to: 220, formants: [400, 2000, 3000] }),
    ).rest;
    const coloured = new Colouring(envelope, 1).process(pulses);
    for (const formant of AH) {
      expect(formantNear(coloured, RATE, formant, 180)).to.be.closeTo(formant, formant * 0.08);
    }
  });

  it('stays bounded on full-scale noise and on clicks in silence', () => {
    const clicks = new Float32Array(RATE).map((_, i) => (i % 4001 === 0 ? 1 : 0));
    for (const samples of [clicks, speech(RATE).map((sample) => Math.sign(sample))]) {
      const { rest, envelope } = whitened(samples);
      expect(peakOf(new Colouring(envelope, 1.3).process(rest))).to.be.below(20);
    }
  });
});
