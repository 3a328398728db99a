import { availableParallelism } from 'node:os';
import { LantangError } from '../errors.js';
import type { Voice } from '../voices/voice.js';
import type { Addon, DeviceSpec } from './binding.js';

/** A device, and how many lanes it gets. */
export interface DeviceLanes {
  device: DeviceSpec;
  lanes: number;
}

const SPELLING =
  /^(?<provider>cpu|cuda|webgpu)(?::(?<number>\d{1,3}))?(?:x(?<lanes>\d{1,3}))?(?<extras>(?:\+[a-z0-9-]+)*)$/;

/** What may be added to a CUDA device's name. */
const CUDA_EXTRAS = new Map<string, Partial<Extract<DeviceSpec, { provider: 'cuda' }>>>([
  ['fp16', { halfPrecision: true }],
  ['graphs', { graphs: true }],
  ['cpu-encoder', { encoderOnCpu: true }],
]);

/**
 * Devices as they are configured: `cpu` (a lane a core), `cpu:2` (two lanes), `cuda:0`, `cuda:0x2` (two lanes on the
 * first GPU), `cuda:0+fp16` (vocoders in half precision), `cuda:0+graphs` (vocoder runs recorded and replayed),
 * `cuda:0+cpu-encoder` (only vocoders on the GPU), `webgpu:0`. Throws `configuration_invalid`.
 */
export function parseDevices(names: readonly string[]): DeviceLanes[] {
  const devices = names.map(parseDevice);
  const isWebGpu = ({ device }: DeviceLanes) => device.provider === 'webgpu';
  if (devices.filter(isWebGpu).length > 1) throw invalid(names[devices.findLastIndex(isWebGpu)]!);
  requireAlone(devices);
  return devices;
}

/** While CUDA records a run, no other thread of the process may allocate or copy on any GPU: the recording would fail. */
function requireAlone(devices: DeviceLanes[]): void {
  const onCuda = devices.filter(({ device }) => device.provider === 'cuda');
  const records = onCuda.some(({ device }) => device.provider === 'cuda' && device.graphs);
  if (!records || onCuda.reduce((sum, { lanes }) => sum + lanes, 0) === 1) return;
  throw new LantangError(
    'configuration_invalid',
    'LANTANG_DEVICES has a cuda device with +graphs beside another cuda lane; runs can be recorded on one lane alone.',
  );
}

/**
 * WebGPU has one device, the GPU that the system puts first, and one lane: its sessions share one command encoder,
 * which fails when two threads use it.
 */
function parseDevice(name: string): DeviceLanes {
  const { provider, number = 0, lanes, extras = '' } = SPELLING.exec(name)?.groups ?? {};
  if (extras !== '' && provider !== 'cuda') throw invalid(name);
  if (provider === 'cpu' && lanes === undefined) return cpuLanes(number ? Number(number) : undefined, name);
  if (provider === 'cuda') {
    const device: DeviceSpec = { provider, deviceId: Number(number) };
    for (const extra of extras.split('+').slice(1))
      Object.assign(device, CUDA_EXTRAS.get(extra) ?? refuse(name));
    return { device, lanes: atLeastOne(lanes ?? 1, name) };
  }
  if (provider === 'webgpu' && Number(number) === 0 && lanes === undefined)
    return { device: { provider, deviceId: 0 }, lanes: 1 };
  throw invalid(name);
}

/** One lane a core: on a CPU the best throughput comes from single-threaded lanes. */
function cpuLanes(lanes: number | undefined, name = 'cpu'): DeviceLanes {
  return {
    device: { provider: 'cpu', intraOpThreads: 1 },
    lanes: atLeastOne(lanes ?? availableParallelism(), name),
  };
}

/**
 * The devices to use. `auto` is the first GPU that really opens, else the CPU; `opens` must find out by opening a
 * session, since the runtime also lists providers whose libraries are absent.
 */
export function chooseDevices(
  names: readonly string[],
  providers: readonly string[],
  opens: (device: DeviceSpec) => boolean,
): DeviceLanes[] {
  if (!isAutomatic(names)) return parseDevices(names);
  const cuda: DeviceSpec = { provider: 'cuda', deviceId: 0 };
  if (providers.includes('CUDAExecutionProvider') && opens(cuda)) return [{ device: cuda, lanes: 1 }];
  return [cpuLanes(undefined)];
}

/** Nothing is named: what is there decides, and what was measured on it. */
export function isAutomatic(names: readonly string[]): boolean {
  return names.length === 1 && names[0] === 'auto';
}

/** Whether a device really works here: a provider's name says nothing, a session that opens does. */
export function opensOn(addon: Addon, { directory, manifest }: Voice): (device: DeviceSpec) => boolean {
  return (device) => {
    try {
      addon.load({ directory, manifest, device }).close();
      return true;
    } catch {
      return false;
    }
  };
}

function atLeastOne(lanes: string | number, name: string): number {
  if (Number(lanes) >= 1) return Number(lanes);
  throw invalid(name);
}

function refuse(name: string): never {
  throw invalid(name);
}

function invalid(name: string): LantangError {
  return new LantangError(
    'configuration_invalid',
    `LANTANG_DEVICES must be auto or a list of cpu, cpu:LANES, cuda:GPU, cuda:GPUxLANES, each cuda with +fp16, +graphs or +cpu-encoder if wanted, or, once, webgpu:0, but has "${name}".`,
  );
}
