/*
 * Speaks the same rows on the CPU and through WebGPU, and prints them all. A program of its own, since a Vulkan driver
 * is found by the environment that a process starts with, and since it must be able to end with a GPU in use:
 *
 *   node webgpu-program.js VOICE.onnx FOLDER
 *
 * `{"error": …}` is printed where WebGPU does not open.
 */
import { loadAddon, type AddonVoice, type DeviceSpec, type Row } from '../../src/inference/binding.js';
import { preparer } from '../../src/inference/preparer.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { Synthesizer } from '../../src/inference/scheduler.js';
import { manifestOn } from '../../src/voices/manifest.js';
import { openVoice } from '../../src/voices/open-voice.js';
import { audioOf, row } from '../native/addon.js';
import { joined } from '../native/signal.js';

/** Samples of each row. */
type Spoken = number[][];

export interface Answer {
  error?: { code: string; message: string };
  onCpu: Spoken;
  alone: Spoken;
  together: Spoken;
  streamed: Spoken;
  /** By the scheduler, on a thread of its own. */
  onLane: Spoken;
}

const WEBGPU: DeviceSpec = { provider: 'webgpu', deviceId: 0 };
const [file = '', folder = ''] = process.argv.slice(2);
const libraryPath = runtimeLibrary();
const voice = await openVoice(file, preparer({ folder, libraryPath }));
const rows = [41, 9, 22].map((length, index) =>
  row(
    Array.from({ length }, (_, i) => (i * 7 + length) % 32),
    { seed: index, lengthScale: 1 + index / 2 },
  ),
);
process.stdout.write(JSON.stringify(await answer()));

async function answer(): Promise<Answer | Pick<Answer, 'error'>> {
  const cpu = open({ provider: 'cpu' });
  try {
    const gpu = open(WEBGPU);
    return {
      onCpu: numbers(each(cpu)),
      alone: numbers(each(gpu)),
      together: numbers(audioOf(gpu, rows).map(({ samples }) => samples)),
      streamed: numbers(rows.map((spoken) => streamOf(gpu, spoken))),
      onLane: numbers(await speakOnLane()),
    };
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    if (code !== 'device_unavailable') throw error;
    return { error: { code, message } };
  }
}

function open(device: DeviceSpec): AddonVoice {
  const addon = loadAddon();
  addon.openRuntime({ libraryPath });
  const manifest = manifestOn(device.provider, voice.manifest);
  return addon.load({ directory: voice.directory, manifest, device, rowsPerRun: 4 });
}

function each(engine: AddonVoice): Float32Array[] {
  return rows.flatMap((spoken) => audioOf(engine, [spoken])).map(({ samples }) => samples);
}

function streamOf(engine: AddonVoice, spoken: Row): Float32Array {
  const stream = engine.stream(spoken, { firstFrames: 8, windowFrames: 32 });
  const pieces: Float32Array[] = [];
  for (let piece = stream.next(); piece; piece = stream.next()) pieces.push(piece);
  stream.close();
  return joined(pieces);
}

async function speakOnLane(): Promise<Float32Array[]> {
  const lane = { libraryPath, device: WEBGPU, lane: 0 };
  const synthesizer = new Synthesizer([lane], { rows: 4, paddedCost: 4000, waste: 1 });
  const options = { priority: 'interactive', user: 'ana' } as const;
  const answers = await Promise.all(rows.map((spoken) => synthesizer.synthesize(voice, spoken, options)));
  await synthesizer.close();
  return answers.map(({ samples }) => samples);
}

function numbers(spoken: Float32Array[]): Spoken {
  return spoken.map((samples) => Array.from(samples));
}
