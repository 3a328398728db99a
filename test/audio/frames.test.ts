import { expect } from 'chai';
import { frame, FrameReader, FrameType, MAX_PAYLOAD, payloads } from '../../src/audio/frames.js';

describe('Frames', () => {
  const bytes = Buffer.concat([
    frame(FrameType.task, '{}'),
    frame(FrameType.data, Buffer.alloc(MAX_PAYLOAD, 7)),
    frame(FrameType.end),
  ]);

  it('come out as they went in, wherever the bytes were cut', () => {
    for (const size of [997, 4096, 65_541, bytes.length]) {
      const reader = new FrameReader();
      const frames = [];
      for (let at = 0; at < bytes.length; at += size)
        frames.push(...reader.read(bytes.subarray(at, at + size)));
      expect(frames.map(({ type, payload }) => [type, payload.length])).to.deep.equal([
        [FrameType.task, 2],
        [FrameType.data, MAX_PAYLOAD],
        [FrameType.end, 0],
      ]);
      expect(frames[0]!.payload.toString()).to.equal('{}');
    }
  });

  it('come out byte by byte', () => {
    const reader = new FrameReader();
    const small = [...frame(FrameType.task, 'ab'), ...frame(FrameType.end)];
    const counts = small.map((byte) => [...reader.read(Buffer.of(byte))].length);
    expect(counts.flatMap((count, at) => (count ? [at] : []))).to.deep.equal([6, 11]);
  });

  it('carry long data in payloads of legal length', () => {
    const lengths = [...payloads(Buffer.alloc(2 * MAX_PAYLOAD + 3))].map((payload) => payload.length);
    expect(lengths).to.deep.equal([MAX_PAYLOAD, MAX_PAYLOAD, 3]);
  });

  it('refuse bytes that are no frames instead of collecting them', () => {
    const reader = new FrameReader();
    expect(() => [...reader.read(Buffer.alloc(100, 255))]).to.throw(RangeError, 'at most 65536 bytes');
  });
});
