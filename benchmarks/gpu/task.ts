import type { Addon, DeviceSpec } from '../../src/inference/binding.js';
import type { BenchVoice } from './bench-voice.js';
import type { Findings } from './findings.js';

/** What one part of the benchmark measures of one voice, and with what. */
export interface GpuTask {
  bench: BenchVoice;
  addon: Addon;
  libraryPath: string;
  device: DeviceSpec;
  /** As it was asked for, e.g. `cuda:0`. */
  deviceName: string;
  lanes: number;
  /** For a machine without a GPU: a few of everything, to see that it works. */
  small: boolean;
  /** What does not fit is cut short, never left out. */
  seconds: number;
  findings: Findings;
}
