import { expect } from 'chai';
import {
  BLOCK,
  decode,
  emptyBitmap,
  encodeBitmap,
  encodePositions,
  intersect,
  mark,
  restrict,
  SeqSet,
  unmark,
} from '../../../src/store/sqlite/seq-set.js';

describe('A set of jobs’ numbers', () => {
  const members = [0, 1, 31, 32, 4095, 4096, 5000, 12_287, 12_288, 1_000_000];
  const set = (seqs: number[]): SeqSet => {
    const made = new SeqSet();
    for (const seq of seqs) made.add(seq);
    return made;
  };

  it('has what was added, each once', () => {
    const made = set([...members, ...members]);
    expect(made.length).to.equal(members.length);
    expect(members.every((seq) => made.has(seq))).to.be.true;
    expect([2, 30, 4094, 4097, 999_999].some((seq) => made.has(seq))).to.be.false;
  });

  it('gives every window of its order and of the opposite one', () => {
    const made = set([...members].reverse());
    for (let offset = 0; offset <= members.length; offset += 1)
      for (const limit of [0, 1, 3, 20]) {
        expect(made.window({ offset, limit, descending: false })).to.deep.equal(
          members.slice(offset, offset + limit),
        );
        expect(made.window({ offset, limit, descending: true })).to.deep.equal(
          [...members].reverse().slice(offset, offset + limit),
        );
      }
    expect(made.all()).to.deep.equal(members);
  });

  it('is stored as its positions where they are few, else as a bitmap, and comes back', () => {
    for (const [count, bytes] of [
      [0, 0],
      [255, 510],
      [256, 512],
      [4096, 512],
    ] as const) {
      const positions = Array.from({ length: count }, (_, index) => (index * 13) % BLOCK).sort(
        (a, b) => a - b,
      );
      const stored = encodePositions(positions);
      expect(stored.length).to.equal(bytes);
      const back = new SeqSet();
      back.put(0, decode(stored));
      expect(back.all()).to.deep.equal(positions);
      expect(encodeBitmap(decode(stored))).to.deep.equal(stored);
    }
  });

  it('intersects, restricts and loses members', () => {
    const [a, b] = [emptyBitmap(), emptyBitmap()];
    for (const position of [0, 33, 100, 4095]) mark(a, position);
    for (const position of [33, 34, 100, 4095]) mark(b, position);
    const all = (bitmap: Uint32Array): number[] => {
      const made = new SeqSet();
      made.put(0, bitmap);
      return made.all();
    };
    expect(all(intersect(a, b))).to.deep.equal([33, 100, 4095]);
    expect(all(restrict(a, 1, 100))).to.deep.equal([33, 100]);
    expect(all(restrict(a, -5000, 9000))).to.deep.equal([0, 33, 100, 4095]);
    unmark(a, 100);
    unmark(a, 101);
    expect(all(a)).to.deep.equal([0, 33, 4095]);
  });
});
