import { expect } from 'chai';
import { chooseSetting, median } from '../../../src/inference/tuning/choose.js';
import type { Measured } from '../../../src/inference/tuning/measure.js';
import { randomNumbers } from '../../random-numbers.js';

/** Throughputs by setting, then by round; the last line is the first setting's again. */
function measured(...lines: number[][]): Measured {
  const rounds = lines.map((line) => line.map((throughput) => ({ throughput, latency: 1 })));
  return { rounds: rounds.slice(0, -1), again: rounds.at(-1)! };
}

describe('The choice of a setting', () => {
  it('is the one that is faster in every round by more than the noise', () => {
    const choice = chooseSetting(measured([100, 100, 100], [130, 128, 131], [110, 111, 109], [102, 99, 101]));
    expect(choice.index).to.equal(1);
    expect(choice.noise).to.be.closeTo(0.02, 0.001);
    expect(choice.gains[1]).to.be.closeTo(1.295, 0.01);
  });

  it('stays the first where another gains less than the first differs from itself', () => {
    expect(chooseSetting(measured([100, 100, 100], [108, 109, 107], [100, 110, 100])).index).to.equal(0);
  });

  it('stays the first where another was slower in one round', () => {
    expect(chooseSetting(measured([100, 100, 100], [150, 95, 150], [100, 100, 100])).index).to.equal(0);
  });

  it('stays the first for a gain that is too small to matter', () => {
    expect(chooseSetting(measured([100, 100, 100], [101, 101, 101], [100, 100, 100])).index).to.equal(0);
  });

  it('compares within a round: a machine that slows down for all changes nothing', () => {
    const slowing = [1, 0.5, 0.25];
    const lines = [100, 120, 100].map((throughput) => slowing.map((factor) => throughput * factor));
    expect(chooseSetting(measured(...lines))).to.include({ index: 1, noise: 0, settled: true });
  });

  it('stays the first, and open, on a machine that is busy with something else', () => {
    const choice = chooseSetting(measured([100, 60, 100], [300, 300, 300], [60, 100, 100]));
    expect(choice).to.include({ index: 0, settled: false });
  });

  it('is the first among equals in all but a few of 2000 noisy machines', () => {
    let wrong = 0;
    for (let seed = 1; seed <= 2000; seed++) {
      const random = randomNumbers(seed);
      const line = () => Array.from({ length: 5 }, () => 100 * (0.9 + 0.2 * random()));
      if (chooseSetting(measured(line(), line(), line(), line(), line(), line())).index !== 0) wrong++;
    }
    expect(wrong).to.be.at.most(20);
  });
});

describe('The median', () => {
  it('is the middle, or the mean of the two', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2])]).to.deep.equal([2, 2.5]);
  });
});
