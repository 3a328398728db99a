import { expect } from 'chai';
import { byteRange } from '../../src/http/byte-range.js';

describe('http/byte-range', () => {
  const cases: [header: string | undefined, size: number, expected: ReturnType<typeof byteRange>][] = [
    [undefined, 100, undefined],
    ['bytes=0-9', 100, { start: 0, end: 9 }],
    ['BYTES=5-5', 100, { start: 5, end: 5 }],
    ['bytes=90-', 100, { start: 90, end: 99 }],
    ['bytes=90-1000', 100, { start: 90, end: 99 }],
    ['bytes=-10', 100, { start: 90, end: 99 }],
    ['bytes=-1000', 100, { start: 0, end: 99 }],
    ['bytes=100-', 100, 'unsatisfiable'],
    ['bytes=99999999999999999999-', 100, 'unsatisfiable'],
    ['bytes=-0', 100, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'unsatisfiable'],
    ['bytes=9-5', 100, undefined],
    ['bytes=-', 100, undefined],
    ['bytes=0-1,5-6', 100, undefined],
    ['items=0-1', 100, undefined],
    ['bytes=a-b', 100, undefined],
    ['bytes=--5', 100, undefined],
  ];
  for (const [header, size, expected] of cases) {
    it(`reads ${header ?? 'no header'} of ${size} bytes`, () => {
      expect(byteRange(header, size)).to.deep.equal(expected);
    });
  }
});
