import type { Voice } from '../../voices/voice.js';
import { chooseDevices, isAutomatic, type DeviceLanes } from '../devices.js';
import type { DeviceSpec } from '../binding.js';
import type { LaneSetup } from '../lane-task.js';
import type { BatchLimits } from '../pick-batch.js';
import { batchLimits, bucketsOf, laneSetups, limitsOf } from './setting.js';
import { subjectOf } from './subject.js';
import { chosenSetting, type TuningStore } from './tuning-store.js';

export interface PlanRequest {
  /** As configured. */
  devices: readonly string[];
  libraryPath: string;
  /** ONNX Runtime's version, and what it was built with. */
  runtime: { version: string; providers: readonly string[] };
  opens: (device: DeviceSpec) => boolean;
  /** The voice whose measurement counts: the default one. */
  voice: Voice;
  store: TuningStore;
}

export interface LanePlan {
  devices: DeviceLanes[];
  setups: LaneSetup[];
  limits: BatchLimits;
  /** The device that is to be measured with the voice: devices are chosen automatically, and it never was. */
  unmeasured: DeviceSpec | undefined;
}

/** Devices as they are configured; where they are `auto`, as it was measured before, if it was. */
export async function planLanes(request: PlanRequest): Promise<LanePlan> {
  const { libraryPath, runtime, voice, store } = request;
  const devices = chooseDevices(request.devices, runtime.providers, request.opens);
  const [first] = devices;
  if (!isAutomatic(request.devices) || !first) return plainPlan(devices, libraryPath);
  const tuning = await store.find(subjectOf(voice, first.device, runtime.version));
  if (!tuning) return { ...plainPlan(devices, libraryPath), unmeasured: first.device };
  const setting = chosenSetting(tuning);
  const setups = laneSetups(setting, first.device, libraryPath);
  const lanes = { device: setups[0]!.device, lanes: setting.lanes };
  return { devices: [lanes], setups, limits: limitsOf(setting), unmeasured: undefined };
}

function plainPlan(devices: DeviceLanes[], libraryPath: string): LanePlan {
  const each = devices.flatMap(({ device, lanes }) => Array.from({ length: lanes }, () => device));
  const setups = each.map((device, lane) => ({ libraryPath, device, lane, ...bucketsOf(device) }));
  return { devices, setups, limits: batchLimits(devices), unmeasured: undefined };
}
