import { expect } from 'chai';
import { FloatReader, toPcmFloat } from '../../src/audio/pcm.js';
import { noise, random } from './signals.js';

describe('PCM', () => {
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
