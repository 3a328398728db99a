import { expect } from 'chai';
import { errorOf } from './addon.js';
import { loadAddon } from '../../src/inference/binding.js';
import { decibels, largestDifference, rootMeanSquare, sine } from './signal.js';
import { samplesOf } from '../audio/signals.js';

const VOICE_RATES = [16000, 22050, 24000, 44100];
const OUTPUT_RATES = [8000, 16000, 22050, 24000, 44100, 48000];
const PAIRS = VOICE_RATES.flatMap((from) => OUTPUT_RATES.map((to) => [from, to] as const));

/** Options under which mastering does nothing but convert and round to 16 bits. */
const at = (inputRate: number, outputRate: number) => ({ inputRate, outputRate, gain: 1, ceiling: 1 });
const ROUNDING = 1 / 32767;

/** Converts a signal, handed over in pieces of `piece` samples. */
function convert(samples: Float32Array, from: number, to: number, piece = samples.length): Float32Array {
  const mastering = loadAddon().mastering(at(from, to));
  const out: Buffer[] = [];
  for (let at = 0; at < samples.length; at += piece)
    out.push(mastering.process(samples.subarray(at, at + piece)));
  out.push(mastering.finish());
  return samplesOf(Buffer.concat(out));
}

/** The middle of a signal, without the edges where the sine begins and ends. */
function middle(samples: Float32Array): Float32Array {
  return samples.subarray(samples.length * 0.2, samples.length * 0.8);
}

describe('native: resampling', () => {
  it('gives exactly round(count × output ÷ input) samples', () => {
    for (const [from, to] of PAIRS) {
      for (const count of [0, 1, 2, 3, 100, 441, 1001]) {
        const expected = Math.round((count * to) / from);
        expect(convert(new Float32Array(count), from, to), `${count} from ${from} to ${to}`).to.have.length(
          expected,
        );
      }
    }
  });

  it('gives the same samples however the input is cut', () => {
    const noise = Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i * i * 0.37));
    for (const [from, to] of PAIRS) {
      const whole = convert(noise, from, to);
      for (const piece of [1, 7, 256, 1000]) {
        expect(
          largestDifference(convert(noise, from, to, piece), whole),
          `${from} to ${to} by ${piece}`,
        ).to.equal(0);
      }
    }
  });

  it('gives output as soon as no later input can change it', () => {
    const mastering = loadAddon().mastering(at(24000, 48000));
    const early = mastering.process(sine(440, 24000, 2400)).length / 2;
    // Held back: the limiter's look-ahead of 5 ms and half of the filter.
    expect(early).to.be.within(4800 - 240 - 160, 4800 - 240 - 80);
    expect(early + mastering.finish().length / 2).to.equal(4800);
  });

  it('only rounds where the rates are equal', () => {
    const noise = Float32Array.from({ length: 100 }, (_, i) => Math.sin(i * i));
    expect(largestDifference(convert(noise, 24000, 24000, 30), noise)).to.be.at.most(ROUNDING);
  });

  it('keeps sines up to 0.45 of the lower rate, in time and height, to 75 dB', () => {
    for (const [from, to] of PAIRS) {
      for (const part of [0.01, 0.1, 0.3, 0.45]) {
        const frequency = part * Math.min(from, to);
        const out = convert(sine(frequency, from, from), from, to);
        const ideal = sine(frequency, to, out.length);
        const error = middle(out.map((sample, i) => sample - ideal[i]!));
        const noise = decibels(rootMeanSquare(error) / rootMeanSquare(middle(ideal)));
        expect(noise, `${frequency} Hz from ${from} to ${to}`).to.be.below(-75);
      }
    }
  });

  it('passes a constant unchanged', () => {
    for (const [from, to] of PAIRS) {
      const out = middle(convert(new Float32Array(4000).fill(0.5), from, to));
      expect(
        out.every((sample) => Math.abs(sample - 0.5) <= ROUNDING),
        `${from} to ${to}`,
      ).to.be.true;
    }
  });

  it('rejects what would come back as an alias, by 80 dB', () => {
    for (const [from, to] of PAIRS.filter(([from, to]) => to < from)) {
      for (const part of [0.501, 0.55, 0.7, 0.9]) {
        const frequency = part * to;
        if (frequency >= from / 2) continue;
        const out = middle(convert(sine(frequency, from, from), from, to));
        const left = decibels(rootMeanSquare(out) / Math.SQRT1_2 / 0.5);
        expect(left, `${frequency} Hz from ${from} to ${to}`).to.be.below(-80);
      }
    }
  });

  it('leaves no image above the input’s own band, by 80 dB', () => {
    for (const [from, to] of PAIRS.filter(([from, to]) => to >= 2 * from)) {
      const frequency = 0.4 * from;
      const out = middle(convert(sine(frequency, from, from), from, to));
      const image = from - frequency;
      if (image >= to / 2) continue;
      expect(
        decibels(amplitudeAt(image, out, to) / 0.5),
        `image of ${frequency} Hz, ${from} to ${to}`,
      ).to.be.below(-80);
    }
  });

  it('stays finite and silent on silence, and carries infinities no further than its reach', () => {
    expect(convert(new Float32Array(1000), 22050, 48000).every((sample) => sample === 0)).to.be.true;
    const spoilt = new Float32Array(4000).fill(0.25);
    spoilt[100] = Infinity;
    const out = convert(spoilt, 24000, 48000);
    expect(out.subarray(1000).every(Number.isFinite)).to.be.true;
  });

  it('refuses rates and factors that are none, and use after the end', () => {
    const addon = loadAddon();
    for (const rate of [0, -1, 0.5, NaN, Infinity, 1e9, '48000']) {
      errorOf('invalid_argument', () => addon.mastering(at(rate as number, 48000)));
      errorOf('invalid_argument', () => addon.mastering(at(48000, rate as number)));
    }
    for (const gain of [-1, NaN, Infinity, '1'])
      errorOf('invalid_argument', () => addon.mastering({ ...at(24000, 48000), gain: gain as number }));
    for (const ceiling of [0, 1.5, NaN])
      errorOf('invalid_argument', () => addon.mastering({ ...at(24000, 48000), ceiling }));
    errorOf('invalid_argument', () => addon.mastering(at(767_999, 767_998)));
    const mastering = addon.mastering(at(24000, 48000));
    errorOf('invalid_argument', () => mastering.process([0.5] as unknown as Float32Array));
    mastering.finish();
    errorOf('closed', () => mastering.process(new Float32Array(1)));
    errorOf('closed', () => mastering.finish());
  });
});

/** Amplitude of one frequency in a signal: its correlation with a Hann-windowed complex sine. */
function amplitudeAt(frequency: number, signal: Float32Array, rate: number): number {
  let real = 0;
  let imaginary = 0;
  signal.forEach((sample, i) => {
    const window = 1 - Math.cos((2 * Math.PI * i) / signal.length);
    const angle = (2 * Math.PI * frequency * i) / rate;
    real += sample * window * Math.cos(angle);
    imaginary += sample * window * Math.sin(angle);
  });
  return (2 * Math.hypot(real, imaginary)) / signal.length;
}
