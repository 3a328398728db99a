import { execFileSync } from 'node:child_process';
import { loadAddon, type Addon, type AddonVoice, type DeviceSpec } from '../../src/inference/binding.js';
import { parseDevices } from '../../src/inference/devices.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { trialEngine } from '../../src/inference/trial-engine.js';
import { manifestOn } from '../../src/voices/manifest.js';
import { readPiperVoice } from '../../src/voices/piper.js';
import { prepareVoice, type Prepared } from '../../src/voices/prepare/prepare.js';
import type { VoiceText } from '../../src/voices/voice.js';
import { EMBEDDED_VOICES, publishedEnglish } from '../native/published-voice.js';
import type { TemporaryFolder } from '../temporary-folder.js';

type CudaDevice = Extract<DeviceSpec, { provider: 'cuda' }>;

/**
 * The GPU that these tests are about. LANTANG_TEST_DEVICE names another device: `cpu` rehearses the tests where there
 * is no GPU, `webgpu:0` holds that provider to the same. LANTANG_ONNXRUNTIME names the library.
 */
export const DEVICE: DeviceSpec = parseDevices([process.env.LANTANG_TEST_DEVICE ?? 'cuda:0'])[0]!.device;

export const isCuda = DEVICE.provider === 'cuda';

/** The path under which every test of this folder opens the runtime: a process can hold one. */
export const LIBRARY = runtimeLibrary(process.env.LANTANG_ONNXRUNTIME);

/**
 * Why no session opens on the device, in words for a suite's title; empty where one does. Found out when the tests are
 * collected, since a title is printed before its suite begins, and by opening a voice as it was published: preparing
 * one takes seconds.
 */
export const WHY_NOT = whyNot();

function whyNot(): string {
  try {
    const addon = loadAddon();
    addon.openRuntime({ libraryPath: LIBRARY });
    addon.load({ directory: EMBEDDED_VOICES, manifest: publishedEnglish(), device: DEVICE }).close();
    return '';
  } catch (error) {
    const { message } = error as Error;
    const lacks = /lib[\w.-]+\.so[\w.]*(?=: cannot open)/.exec(message)?.[0];
    return ` (skipped: ${lacks ? `${lacks} is missing` : message.split('\n')[0]})`;
  }
}

/** A prepared voice that opens on the device under test and on the CPU. */
export class VoiceUnderTest {
  private constructor(
    readonly addon: Addon,
    readonly text: VoiceText,
    readonly directory: string,
    readonly prepared: Prepared,
  ) {}

  /** Prepares the voice; skips the suite where no session opens on the device. */
  static async orSkip(
    context: Mocha.Context,
    scratch: TemporaryFolder,
    modelFile: string,
  ): Promise<VoiceUnderTest> {
    if (WHY_NOT !== '') return context.skip();
    const addon = loadAddon();
    addon.openRuntime({ libraryPath: LIBRARY });
    const published = await readPiperVoice(modelFile);
    const directory = `${scratch.path}/${published.name}`;
    const prepared = prepareVoice(published, directory, trialEngine(addon));
    return new VoiceUnderTest(addon, published.text, directory, prepared);
  }

  /** On the device under test. TF32 is off unless a test is about it: it rounds to three digits. */
  open(options: Partial<CudaDevice> = {}, rowsPerRun?: number, buckets?: number[]): AddonVoice {
    const device = isCuda ? ({ ...DEVICE, tf32: false, ...options } as CudaDevice) : rehearsed(options);
    return this.load(device, rowsPerRun, buckets);
  }

  openOnCpu(): AddonVoice {
    return this.load({ provider: 'cpu' });
  }

  private load(device: DeviceSpec, rowsPerRun?: number, buckets?: number[]): AddonVoice {
    return this.addon.load({
      directory: this.directory,
      manifest: manifestOn(device.provider, this.prepared.manifest, device.provider === 'cuda' ? device : {}),
      ...(buckets ? { buckets } : {}),
      device,
      // Another number of rows is another set of sessions: what one test has filled, the next one does not find.
      ...(rowsPerRun === undefined ? {} : { rowsPerRun }),
    });
  }
}

/** Of CUDA's options a CPU knows one. */
function rehearsed({ graphs = false }: Partial<CudaDevice>): DeviceSpec {
  return DEVICE.provider === 'cpu' ? { ...DEVICE, graphs } : DEVICE;
}

/** Bytes of the GPU's memory in use, by whomever; undefined where nvidia-smi is not there to tell. */
export function usedDeviceMemory(): number | undefined {
  if (DEVICE.provider !== 'cuda') return undefined;
  const query = ['--query-gpu=memory.used', '--format=csv,noheader,nounits', `--id=${DEVICE.deviceId}`];
  try {
    return Number(execFileSync('nvidia-smi', query, { encoding: 'utf8', stdio: 'pipe' })) * 2 ** 20;
  } catch {
    return undefined;
  }
}
