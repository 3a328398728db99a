import { expect } from 'chai';
import { gainToTarget, integratedLoudness, TARGET_LUFS } from '../../../src/voices/prepare/loudness.js';

function sine(frequency: number, decibels: number, seconds: number, sampleRate: number): Float32Array {
  const peak = 10 ** (decibels / 20);
  return Float32Array.from(
    { length: seconds * sampleRate },
    (_, i) => peak * Math.sin((2 * Math.PI * frequency * i) / sampleRate),
  );
}

function joined(...parts: Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

describe('Integrated loudness', () => {
  for (const sampleRate of [16000, 22050, 24000, 48000]) {
    it(`of a sine of 997 Hz at full scale is −3.01 LUFS, at ${sampleRate} Hz`, () => {
      expect(integratedLoudness(sine(997, 0, 3, sampleRate), sampleRate)).to.be.closeTo(-3.01, 0.05);
    });
  }

  it('is −23 LUFS for a stereo tone of EBU Tech 3341 case 1, of which a single channel has 3 dB less', () => {
    expect(integratedLoudness(sine(1000, -23, 20, 48000), 48000)).to.be.closeTo(-26.01, 0.1);
  });

  it('leaves quiet stretches out (EBU Tech 3341 case 3)', () => {
    const rate = 48000;
    const signal = joined(sine(1000, -36, 10, rate), sine(1000, -23, 60, rate), sine(1000, -36, 10, rate));
    expect(integratedLoudness(signal, rate)).to.be.closeTo(-26.01, 0.1);
  });

  it('is −∞ for silence', () => {
    expect(integratedLoudness(new Float32Array(48000), 48000)).to.equal(-Infinity);
  });
});

describe('The gain to the common loudness', () => {
  it('brings a signal there', () => {
    const quiet = sine(500, -25, 2, 22050);
    const gain = gainToTarget(quiet, 22050);
    const brought = quiet.map((sample) => sample * gain);
    expect(integratedLoudness(brought, 22050)).to.be.closeTo(TARGET_LUFS, 0.01);
  });

  it('leaves silence and what is next to silence alone', () => {
    expect(gainToTarget(new Float32Array(22050), 22050)).to.equal(1);
    expect(gainToTarget(new Float32Array(10), 22050)).to.equal(1);
    expect(gainToTarget(sine(500, -65, 2, 22050), 22050)).to.equal(8);
  });
});
