import { expect } from 'chai';
import { FloatReader, toPcm16, toPcmFloat } from '../../src/audio/pcm.js';
import { noise, random } from './signals.js';

const samplesOf = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i));

describe('PCM', () => {
  it('rounds to the nearest of 16 bits', () => {
    const steps = [0, 0.4, 0.6, -0.4, -0.6, 1000.4].map((value) => value / 32767);
    expect(samplesOf(toPcm16(Float32Array.from(steps)))).to.deep.equal([0, 0, 1, 0, -1, 1000]);
  });

  it('clamps what lies outside and reads NaN as silence', () => {
    const wild = Float32Array.of(1, -1, 1.5, -7, Infinity, -Infinity, NaN);
    expect(samplesOf(toPcm16(wild))).to.deep.equal([32767, -32767, 32767, -32767, 32767, -32767, 0]);
  });

  it('reads floats back from bytes, wherever they were cut', () => {
    const samples = noise(8000, 1, 1, 5);
    const bytes = toPcmFloat(samples.subarray(100));
    const reader = new FloatReader();
    const next = random(9);
    const read: number[] = [];
    for (let at = 0; at < bytes.length;) {
      const length = Math.floor(next() * 30);
      read.push(...reader.read(bytes.subarray(at, at + length)));
      at += length;
    }
    expect(read).to.deep.equal([...samples.subarray(100)]);
  });
});
