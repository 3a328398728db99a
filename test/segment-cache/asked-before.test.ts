import { expect } from 'chai';
import { AskedBefore } from '../../src/segment-cache/asked-before.js';

describe('Keys that were asked for before', () => {
  it('are known from the second time on', () => {
    const asked = new AskedBefore(10);
    expect([asked.note('a'), asked.note('b'), asked.note('a'), asked.note('a')]).to.deep.equal([
      ...[false, false, true, true],
    ]);
  });

  it('are remembered for as many others as the capacity, and not for ever', () => {
    const asked = new AskedBefore(10);
    asked.note('a');
    for (let other = 0; other < 9; other++) asked.note(`${other}`);
    expect(asked.note('a')).to.equal(true);
    for (let other = 100; other < 120; other++) asked.note(`${other}`);
    expect(asked.note('a')).to.equal(false);
  });
});
