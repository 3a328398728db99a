import { expect } from 'chai';
import {
  bytesOf,
  compact,
  decodeSegment,
  encodeSegment,
  type Segment,
} from '../../src/segment-cache/segment.js';

const KEY = 'a1'.repeat(32);

function segment(samples = 1000, durations: number | undefined = 20): Segment {
  return {
    samples: Float32Array.from({ length: samples }, (_, index) => Math.sin(index) * 1e-3),
    ...(durations !== undefined && {
      durations: Int32Array.from({ length: durations }, (_, index) => index),
    }),
  };
}

describe('A cached segment as a file', () => {
  it('is read as it was written, bit for bit', () => {
    for (const written of [
      segment(),
      segment(1),
      segment(0, 0),
      { samples: Float32Array.of(-0, NaN, 1e-45) },
    ]) {
      const read = decodeSegment(KEY, encodeSegment(KEY, written))!;
      expect(
        Buffer.from(read.samples.buffer, read.samples.byteOffset, read.samples.byteLength),
      ).to.deep.equal(Buffer.from(written.samples.buffer));
      expect(read.durations).to.deep.equal(written.durations);
    }
  });

  it('is read from wherever it lies in memory', () => {
    const file = Buffer.concat([Buffer.of(1, 2, 3), encodeSegment(KEY, segment())]).subarray(3);
    expect(decodeSegment(KEY, file)).to.deep.equal(segment());
  });

  it('is refused at every length but its own', () => {
    const file = encodeSegment(KEY, segment(40, 5));
    for (let length = 0; length < file.length; length++) {
      expect(decodeSegment(KEY, file.subarray(0, length)), `${length} bytes`).to.equal(undefined);
    }
    expect(decodeSegment(KEY, Buffer.concat([file, Buffer.of(0)]))).to.equal(undefined);
  });

  it('is refused when any bit of it has changed', () => {
    const file = encodeSegment(KEY, segment(40, 5));
    for (let bit = 0; bit < file.length * 8; bit++) {
      file[bit >> 3]! ^= 1 << (bit & 7);
      expect(decodeSegment(KEY, file), `bit ${bit}`).to.equal(undefined);
      file[bit >> 3]! ^= 1 << (bit & 7);
    }
    expect(decodeSegment(KEY, file)).to.deep.equal(segment(40, 5));
  });

  it('is refused under another key, and when a part of it never reached the disk', () => {
    const file = encodeSegment(KEY, segment());
    expect(decodeSegment('b2'.repeat(32), file)).to.equal(undefined);
    expect(
      decodeSegment(KEY, Buffer.concat([file.subarray(0, 512), Buffer.alloc(file.length - 512)])),
    ).to.equal(undefined);
  });

  it('holds on to no memory but its own', () => {
    const batch = new Float32Array(5000).map((_, index) => index);
    const kept = compact({ samples: batch.subarray(100, 200) });
    expect(kept.samples).to.deep.equal(batch.slice(100, 200));
    expect([kept.samples.buffer.byteLength, bytesOf(kept)]).to.deep.equal([400, 400]);
  });
});
