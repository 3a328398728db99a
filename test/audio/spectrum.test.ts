import { expect } from 'chai';
import { AH, joined, noise, silence, speech, vowel } from './signals.js';
import { compare, formantNear, lagOf, pitchOf, powerSpectrum } from './spectrum.js';

/** What judges audio in these tests is itself judged on signals whose traits are known. */
describe('The comparer of audio', () => {
  const rate = 24000;
  const original = speech(rate);

  it('finds the bin of a pure tone', () => {
    const tone = Float32Array.from({ length: 1024 }, (_, i) => Math.sin((2 * Math.PI * 37 * i) / 1024));
    const power = powerSpectrum(tone);
    expect(power.indexOf(Math.max(...power))).to.equal(37);
    expect(power[60]! / power[37]!).to.be.below(1e-6);
  });

  it('calls a signal equal to itself and to itself with noise far below', () => {
    const itself = compare(original, original, rate);
    expect(itself.difference).to.equal(0);
    expect(itself.lag).to.be.closeTo(0, 0.01);
    const hiss = noise(rate, original.length / rate, 0.0003, 7);
    const noisy = original.map((sample, i) => sample + (hiss[i] ?? 0));
    expect(compare(original, noisy, rate).difference).to.be.below(0.5);
  });

  it('finds a delay and an advance', () => {
    const late = joined(silence(rate, 0.023), original);
    expect(lagOf(original, late, rate)).to.be.closeTo(23, 0.3);
    expect(lagOf(late, original, rate)).to.be.closeTo(-23, 0.3);
    expect(compare(original, late, rate).difference).to.be.below(1);
  });

  it('tells other speech, a dull copy, a quieter copy and noise from the original', () => {
    let last = 0;
    const dull = original.map((sample) => (last += (sample - last) * 0.2));
    const others = [
      speech(rate, 2),
      dull,
      original.map((sample) => sample / 2),
      noise(rate, original.length / rate, 0.3, 3),
    ];
    for (const other of others) expect(compare(original, other, rate).difference).to.be.above(2.5);
  });

  it('measures pitch within 0.3 %', () => {
    for (const from of [80, 120, 187.3, 300]) {
      expect(pitchOf(vowel({ rate, seconds: 0.5, from }), rate)).to.be.closeTo(from, from * 0.003);
    }
  });

  it('measures formants within 4 %, whatever the pitch', () => {
    for (const from of [90, 160]) {
      const glide = vowel({ rate, seconds: 2, from, to: from * 1.5 });
      for (const formant of AH) {
        expect(formantNear(glide, rate, formant, from)).to.be.closeTo(formant, formant * 0.04);
      }
    }
  });
});
