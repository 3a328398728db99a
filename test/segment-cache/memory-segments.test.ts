import { expect } from 'chai';
import { MemorySegments } from '../../src/segment-cache/memory-segments.js';

const ofBytes = (bytes: number) => ({ samples: new Float32Array(bytes / 4) });

describe('Segments in memory', () => {
  it('lets the least recently used go', () => {
    const memory = new MemorySegments(300);
    for (const key of ['a', 'b', 'c']) memory.set(key, ofBytes(100));
    memory.get('a');
    memory.set('d', ofBytes(100));
    expect(['a', 'b', 'c', 'd'].filter((key) => memory.get(key))).to.deep.equal(['a', 'c', 'd']);
  });

  it('never holds more than its limit, and no segment that exceeds it', () => {
    const memory = new MemorySegments(1000);
    for (let count = 0; count < 500; count++) {
      memory.set(`${count % 37}`, ofBytes(4 * ((count * 7919) % 300)));
      expect(memory.bytes).to.be.at.most(1000);
    }
    memory.set('large', ofBytes(1004));
    expect(memory.get('large')).to.equal(undefined);
    expect(memory.entries).to.be.greaterThan(0);
  });

  it('counts what is set again once', () => {
    const memory = new MemorySegments(1000);
    memory.set('a', ofBytes(100));
    memory.set('a', ofBytes(200));
    expect([memory.entries, memory.bytes]).to.deep.equal([1, 200]);
  });
});
