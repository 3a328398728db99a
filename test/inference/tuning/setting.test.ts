import { expect } from 'chai';
import { parseDevices } from '../../../src/inference/devices.js';
import {
  batchLimits,
  candidateSettings,
  defaultSetting,
  laneSetups,
  limitsOf,
} from '../../../src/inference/tuning/setting.js';

const CPU = { provider: 'cpu' } as const;
const GPU = { provider: 'cuda', deviceId: 0 } as const;

describe('Settings', () => {
  it('begin with what is used where nothing was measured', () => {
    for (const [device, name] of [
      [CPU, 'cpu:4'],
      [GPU, 'cuda:0'],
    ] as const) {
      const [usual] = candidateSettings(device, 4);
      expect(usual).to.deep.equal(defaultSetting(device, 4));
      expect(limitsOf(usual!)).to.deep.equal(batchLimits(parseDevices([name])));
      expect(usual!.lanes).to.equal(parseDevices([name])[0]!.lanes);
    }
  });

  it('are all different, and never more threads than there are cores', () => {
    for (const cores of [1, 2, 3, 4, 16, 64]) {
      const all = candidateSettings(CPU, cores);
      expect(new Set(all.map((setting) => JSON.stringify(setting))).size).to.equal(all.length);
      for (const { lanes, threads } of all) expect(lanes * threads).to.be.within(1, cores);
    }
  });

  it('try threads, lanes and batches on two cores', () => {
    const tried = candidateSettings(CPU, 2).map(({ lanes, threads, rows }) => `${lanes}×${threads}, ${rows}`);
    expect(tried).to.deep.equal(['2×1, 1', '1×2, 1', '2×1, 2', '2×1, 4', '2×1, 8']);
  });

  it('try one lane only of WebGPU, whose sessions fail on several threads', () => {
    const tried = candidateSettings({ provider: 'webgpu', deviceId: 0 }, 4);
    expect(new Set(tried.map(({ lanes }) => lanes))).to.deep.equal(new Set([1]));
    expect(tried.length).to.be.greaterThan(3);
  });

  it('become lanes that run whole batches', () => {
    const lanes = laneSetups({ lanes: 2, threads: 3, rows: 4, buckets: [64] }, CPU, 'library');
    const device = { provider: 'cpu', intraOpThreads: 3 };
    expect(lanes).to.deep.equal([
      { libraryPath: 'library', device, lane: 0, rowsPerRun: 4, buckets: [64] },
      { libraryPath: 'library', device, lane: 1, rowsPerRun: 4, buckets: [64] },
    ]);
    expect(laneSetups({ lanes: 1, threads: 1, rows: 8 }, GPU, 'library')[0]).to.deep.include({ device: GPU });
  });
});

describe('What a batch may be', () => {
  it('is one row on a CPU', () => {
    expect(batchLimits(parseDevices(['cpu'])).rows).to.equal(1);
  });
  it('is many on a GPU', () => {
    expect(batchLimits(parseDevices(['cuda:0'])).rows).to.be.greaterThan(8);
  });
});
