import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphManifest } from '../../src/voices/manifest.js';
import { encodeModel, type Constant, type Graph, type Node } from './onnx-graph.js';

/*
 * A voice of one tiny graph: every id lasts one frame, a frame is one sample, and a sample is its id ÷ 1000. What
 * `nodes` adds stands between the ids, as floats in "values" [rows, 1, ids], and the audio, "audio".
 */

export const SMALL_SYMBOLS = 1000;

export function smallManifest(changes: Partial<GraphManifest> = {}): GraphManifest {
  return {
    version: 1,
    sourceSha256: 'small',
    sampleRate: 16000,
    hop: 1,
    numSymbols: SMALL_SYMBOLS,
    numSpeakers: 1,
    maxIds: 100,
    stages: [{ file: 'small.onnx', inputs: ['ids', 'lengths', 'scales'], outputs: ['durations', 'audio'] }],
    tensors: {
      ids: 'ids',
      lengths: 'lengths',
      scales: 'scales',
      speaker: null,
      durations: 'durations',
      latent: null,
      audio: 'audio',
    },
    noise: [],
    perRowScales: true,
    vocoderReach: 0,
    batchable: true,
    lost: [],
    rewrites: [],
    ...changes,
  };
}

export interface SmallGraph {
  /** From "values" and "scales" to "audio"; by default a copy. */
  nodes?: Node[];
  /** From "values" to "durations"; by default ones. */
  durations?: Node[];
  constants?: Constant[];
}

export function smallGraph({ nodes, durations, constants = [] }: SmallGraph = {}): Graph {
  const flat = ['rows', 1, 'ids'];
  return {
    inputs: [
      { name: 'ids', type: 'int64', shape: ['rows', 'ids'] },
      { name: 'lengths', type: 'int64', shape: ['rows'] },
      { name: 'scales', type: 'float', shape: [3, 'rows', 1, 1] },
    ],
    outputs: [
      { name: 'durations', type: 'float', shape: flat },
      { name: 'audio', type: 'float', shape: flat },
    ],
    nodes: [
      { op: 'Unsqueeze', inputs: ['ids', 'one'], output: 'wide' },
      { op: 'Cast', inputs: ['wide'], output: 'floats', attributes: { to: 1 } },
      { op: 'Div', inputs: ['floats', 'thousand'], output: 'values' },
      ...(nodes ?? [{ op: 'Identity', inputs: ['values'], output: 'audio' }]),
      ...(durations ?? [
        { op: 'Mul', inputs: ['values', 'zero'], output: 'nothing' },
        { op: 'Exp', inputs: ['nothing'], output: 'durations' },
      ]),
    ],
    constants: [
      { name: 'one', type: 'int64', shape: [1], values: [1] },
      { name: 'thousand', type: 'float', shape: [], values: [1000] },
      { name: 'zero', type: 'float', shape: [], values: [0] },
      ...constants,
    ],
  };
}

/** A folder that lasts as long as the suite that asks for it. */
export function suiteFolder(): () => string {
  let folder = '';
  before(() => (folder = mkdtempSync(join(tmpdir(), 'lantang-native-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Writes the graph into a folder of its own within `parent`, and answers that folder. */
export function writeSmallVoice(parent: string, graph: Graph = smallGraph()): string {
  const directory = mkdtempSync(join(parent, 'voice-'));
  writeFileSync(join(directory, 'small.onnx'), encodeModel(graph));
  return directory;
}
