import { expect } from 'chai';
import type { AddonVoice, Row, RowResult } from '../../src/inference/binding.js';
import { audioOf, row } from '../native/addon.js';
import { largestDifference } from '../native/signal.js';
import { temporaryFolder } from '../temporary-folder.js';
import { ENGLISH } from '../voices/prepared-voices.js';
import { DEVICE, isCuda, usedDeviceMemory, VoiceUnderTest, WHY_NOT } from './device-under-test.js';

const MEBIBYTE = 2 ** 20;

describe(`gpu: memory on ${DEVICE.provider}${WHY_NOT}`, function () {
  this.timeout(600_000);
  const scratch = temporaryFolder();
  let voice: VoiceUnderTest;

  before(async function () {
    voice = await VoiceUnderTest.orSkip(this, scratch, ENGLISH);
  });
  after(() => scratch.clean());

  /** A row of `count` ids, all of them sounds. */
  const rowOf = (count: number, changes: Partial<Row> = {}) =>
    row(
      Array.from({ length: count }, (_, index) => 14 + ((index * 7) % 30)),
      changes,
    );

  describe('that runs out', () => {
    const codes = (results: RowResult[]) =>
      new Set(results.map((result) => ('error' in result ? result.error.code : 'spoken')));

    /** A limit under which the weights fit and a large batch does not. */
    function openSmall(): AddonVoice {
      return voice.open({ memoryLimit: 160 * MEBIBYTE }, 48);
    }

    before(function () {
      if (!isCuda) this.skip(); // only CUDA's arena has a limit
    });

    it('is told by its code, for the rows that did not fit', () => {
      const small = openSmall();
      const told = codes(small.synthesize(Array.from({ length: 48 }, () => rowOf(3000))));
      small.close();
      expect(told).to.include('out_of_memory');
      expect([...told].filter((code) => code !== 'spoken')).to.deep.equal(['out_of_memory']);
    });

    it('leaves the voice and the process alive', () => {
      const small = openSmall();
      small.synthesize(Array.from({ length: 48 }, () => rowOf(3000)));
      const [afterwards] = audioOf(small, [rowOf(20)]);
      small.close();
      const ample = voice.open();
      const [expected] = audioOf(ample, [rowOf(20)]);
      ample.close();
      expect(largestDifference(afterwards!.samples, expected!.samples)).to.be.at.most(1e-3);
    });
  });

  it('stays flat over batches of random lengths', function () {
    const device = voice.open({}, 16);
    const used: number[] = [];
    const random = generator(1);
    for (let batch = 0; batch < 300; batch++) {
      const rows = Array.from({ length: 1 + random(16) }, () => rowOf(10 + random(300), { seed: batch }));
      audioOf(device, rows);
      const now = usedDeviceMemory();
      if (now === undefined) {
        device.close();
        return this.skip(); // no nvidia-smi to tell the memory
      }
      used.push(now);
    }
    device.close();
    const [early, late] = [used.slice(0, 150), used.slice(150)].map((part) => Math.max(...part) / MEBIBYTE);
    this.test!.title += ` (${early} MiB, then ${late} MiB at most)`;
    expect(late).to.be.at.most(1.1 * early! + 64);
  });
});

/** Equal numbers in every run: a linear congruential generator (Knuth, MMIX). Answers integers below `limit`. */
function generator(seed: number): (limit: number) => number {
  let state = BigInt(seed);
  return (limit) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn;
    return Number((state >> 33n) % BigInt(limit));
  };
}
