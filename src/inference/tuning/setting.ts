import type { DeviceSpec } from '../binding.js';
import type { DeviceLanes } from '../devices.js';
import type { LaneSetup } from '../lane-task.js';
import type { BatchLimits } from '../pick-batch.js';

/** How a device is used: what tuning chooses. */
export interface Setting {
  lanes: number;
  /** Of each lane, on a CPU. */
  threads: number;
  /** Most rows of a batch, all of them in one run of the graph. */
  rows: number;
  /** Most ids of a batch, padding included; no limit where it is absent. */
  paddedCost?: number;
  /** Lengths of vocoder windows, in frames; any where it is absent. */
  buckets?: number[];
}

/** Most of a batch that may be padding. */
const WASTE = 0.3;
const IDS_PER_ROW = 256;

/** Where nothing has been measured: on a CPU batching gains nothing on these networks, on a GPU it is what fills it. */
const CPU_BATCH = { rows: 1 };
const GPU_BATCH = { rows: 64, paddedCost: 64 * IDS_PER_ROW };

/** What is used where nothing has been measured. */
export function defaultSetting(device: DeviceSpec, cores: number): Setting {
  if (device.provider === 'cpu') return { lanes: cores, threads: 1, ...CPU_BATCH };
  return { lanes: 1, threads: 1, ...GPU_BATCH, ...bucketsOf(device) };
}

/** Without buckets no shape comes again, and nothing that was recorded of a run could be replayed. */
export function bucketsOf(device: DeviceSpec): Pick<Setting, 'buckets'> {
  return device.provider === 'cuda' && device.graphs ? { buckets: BUCKETS } : {};
}

/** What a batch may be on devices that nothing has been measured of: all of them take from one queue. */
export function batchLimits(devices: readonly DeviceLanes[]): BatchLimits {
  const cpuOnly = devices.every(({ device }) => device.provider === 'cpu');
  return limitsOf(cpuOnly ? CPU_BATCH : GPU_BATCH);
}

/** What is worth trying on a device, the default first. */
export function candidateSettings(device: DeviceSpec, cores: number): Setting[] {
  const usual = defaultSetting(device, cores);
  return [usual, ...(device.provider === 'cpu' ? cpuCandidates(usual, cores) : gpuCandidates(usual, device))];
}

/** Threads instead of lanes; half the lanes, where cores are halves of cores; batches. */
function cpuCandidates(usual: Setting, cores: number): Setting[] {
  const powers = [2, 4, 8, 16].filter((power) => power <= cores);
  const threaded = powers.map((threads) => ({ ...usual, lanes: Math.floor(cores / threads), threads }));
  const halved = cores >= 4 ? [{ ...usual, lanes: Math.floor(cores / 2) }] : [];
  const batched = [2, 4, 8].map((rows) => ({ ...usual, rows }));
  return [...threaded, ...halved, ...batched];
}

/** Lengths of vocoder windows, in frames: each twice as long as the one before, and half as long again. */
export const BUCKETS = [64, 96, 128, 192, 256, 384, 512, 768, 1024];

function gpuCandidates(usual: Setting, device: DeviceSpec): Setting[] {
  const sized = [16, 32, 128].map((rows) => ({ ...usual, rows, paddedCost: rows * IDS_PER_ROW }));
  // WebGPU's sessions fail on several threads, and so does recording CUDA's runs.
  const isForOneLane = device.provider === 'webgpu' || (device.provider === 'cuda' && device.graphs);
  const laneCounts = isForOneLane ? [] : [2, 3];
  const shared = laneCounts.map((lanes) => ({ ...usual, lanes, rows: 32, paddedCost: 32 * IDS_PER_ROW }));
  return [...sized, ...shared, { ...usual, buckets: BUCKETS }];
}

export function limitsOf({ rows, paddedCost }: Pick<Setting, 'rows' | 'paddedCost'>): BatchLimits {
  return { rows, paddedCost: paddedCost ?? Infinity, waste: rows === 1 ? 0 : WASTE };
}

/** Lanes of one device, numbered from 0. */
export function laneSetups(setting: Setting, device: DeviceSpec, libraryPath: string): LaneSetup[] {
  const { lanes, threads, rows, buckets } = setting;
  const spec: DeviceSpec = device.provider === 'cpu' ? { ...device, intraOpThreads: threads } : device;
  const engine = { rowsPerRun: rows, ...(buckets ? { buckets } : {}) };
  return Array.from({ length: lanes }, (_, lane) => ({ libraryPath, device: spec, lane, ...engine }));
}
