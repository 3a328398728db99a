import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Addon, AddonVoice, DeviceSpec } from '../../../src/inference/binding.js';
import type { GraphManifest } from '../../../src/voices/manifest.js';
import {
  makeFloats,
  makeInt64Vector,
  makeInts,
  makeNode,
  makeValueInfo,
} from '../../../src/voices/prepare/onnx/build.js';
import {
  DataType,
  writeModel,
  type Graph,
  type Node,
  type Tensor,
} from '../../../src/voices/prepare/onnx/model.js';
import { audioOf, row } from '../../native/addon.js';

const SYMBOLS = 12;
/** ONNX's own operators, as Piper's exporter has them. */
const OPSET = 17n;

/** Numbers in ±size that look random and are the same every time. */
export function numbers(count: number, size = 1, seed = 1): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => size * Math.sin(12.9898 * (i + 1) * seed + seed));
}

/** A row of numbers per id in height one, `input`; what the nodes make of it, `output`, is the audio. */
export function embeddedGraph(channels: number, nodes: Node[], initializers: Tensor[]): Graph {
  return {
    name: 'embedded',
    nodes: [
      makeNode('Gather', ['table', 'ids'], 'embedded'),
      makeNode('Transpose', ['embedded'], 'channels', [makeInts('perm', [0, 2, 1])]),
      makeNode('Unsqueeze', ['channels', 'height'], 'input'),
      ...nodes,
      makeNode('Squeeze', ['output', 'height'], 'audio'),
    ],
    initializers: [
      makeFloats('table', [SYMBOLS, channels], numbers(SYMBOLS * channels, 1, 5)),
      makeInt64Vector('height', [2]),
      ...initializers,
    ],
    inputs: [
      makeValueInfo('ids', DataType.INT64, ['rows', 'ids']),
      makeValueInfo('lengths', DataType.INT64, ['rows']),
      makeValueInfo('scales', DataType.FLOAT, [3]),
    ],
    outputs: [makeValueInfo('audio', DataType.FLOAT)],
    values: [],
  };
}

/** Opens graphs as voices of one stage. */
export class GraphOpener {
  #count = 0;

  constructor(
    private readonly addon: Addon,
    private readonly folder: string,
  ) {}

  open(graph: Graph, device: DeviceSpec = { provider: 'cpu' }): AddonVoice {
    const directory = join(this.folder, String(this.#count++));
    mkdirSync(directory, { recursive: true });
    const model = { opsets: [{ domain: '', version: OPSET }], unknown: [Uint8Array.of(0x08, 8)] };
    writeFileSync(join(directory, 'graph.onnx'), writeModel({ ...model, graph }));
    const stage = { file: 'graph.onnx', inputs: ['ids', 'lengths', 'scales'], outputs: ['audio'] };
    const manifest: GraphManifest = {
      ...{ version: 1, sourceSha256: String(this.#count), sampleRate: 16000, hop: 16, numSymbols: SYMBOLS },
      ...{ numSpeakers: 1, maxIds: 1000, stages: [stage], noise: [], lost: [], rewrites: [] },
      tensors: {
        ...{ ids: 'ids', lengths: 'lengths', scales: 'scales', speaker: null },
        ...{ durations: null, latent: null, audio: 'audio' },
      },
      ...{ perRowScales: false, vocoderReach: 0, batchable: false },
    };
    return this.addon.load({ directory, manifest, device });
  }

  /** What the graph gives for texts of so many ids. */
  run(graph: Graph, counts: number[], device?: DeviceSpec): Float32Array[] {
    const voice = this.open(graph, device);
    const rows = counts.map((count) => row(Array.from({ length: count }, (_, i) => (i * 5) % SYMBOLS)));
    const audio = rows.flatMap((one) => audioOf(voice, [one]));
    voice.close();
    return audio.map(({ samples }) => samples);
  }
}
