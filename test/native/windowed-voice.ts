import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphManifest } from '../../src/voices/manifest.js';
import { encodeModel, type Constant, type Graph, type Node } from './onnx-graph.js';
import { smallManifest } from './small-voice.js';

/*
 * A small voice in the shape of a prepared VITS graph: an encoder that gives durations and a mean, an acoustic stage
 * that adds the prior's noise, and a convolutional vocoder. The vocoder's biases make what it computes of padding
 * differ from padding, so that every window that is not placed right shows.
 */

const CHANNELS = 3;
const HOP = 4;
const KERNELS = [5, 3, 5];
/** Frames to each side that the three convolutions below look at. */
const REACH = KERNELS.reduce((sum, kernel) => sum + (kernel - 1) / 2, 0);

export const windowedManifest: GraphManifest = smallManifest({
  sourceSha256: 'windowed',
  hop: HOP,
  maxIds: 400,
  stages: [
    { file: 'encoder.onnx', inputs: ['ids', 'lengths', 'scales'], outputs: ['durations', 'mean'] },
    { file: 'acoustic.onnx', inputs: ['mean', 'scales', 'noise'], outputs: ['latent'] },
    { file: 'vocoder.onnx', inputs: ['latent'], outputs: ['audio'] },
  ],
  tensors: { ...smallManifest().tensors, latent: 'latent' },
  noise: [{ name: 'noise', channels: CHANNELS, length: 'frames' }],
  vocoderReach: REACH,
});

export interface WindowedChanges {
  /** Memory runs out in a vocoder run of more frames than that. */
  frames?: number;
  /** A vocoder run of any other length fails. */
  lengths?: number[];
  /** A vocoder run of any other number of windows fails. */
  windows?: number[];
}

export function writeWindowedVoice(parent: string, changes: WindowedChanges = {}): string {
  const { frames, lengths, windows } = changes;
  const directory = mkdtempSync(join(parent, 'windowed-'));
  const scarce = frames === undefined ? vocoder() : outOfMemoryBeyond(frames, vocoder());
  const picky = lengths === undefined ? scarce : failingBut(lengths, 2, scarce);
  const whole = windows === undefined ? picky : failingBut(windows, 0, picky);
  const graphs = { encoder: encoder(), acoustic: acoustic(), vocoder: whole };
  for (const [name, graph] of Object.entries(graphs))
    writeFileSync(join(directory, `${name}.onnx`), encodeModel(graph));
  return directory;
}

/** One frame per id, none for padding (id 0); the mean is id ÷ 1000. */
function encoder(): Graph {
  return {
    inputs: [
      { name: 'ids', type: 'int64', shape: ['rows', 'ids'] },
      { name: 'lengths', type: 'int64', shape: ['rows'] },
      { name: 'scales', type: 'float', shape: [3, 'rows', 1, 1] },
    ],
    outputs: [
      { name: 'durations', type: 'float', shape: ['rows', 1, 'ids'] },
      { name: 'mean', type: 'float', shape: ['rows', 1, 'ids'] },
    ],
    nodes: [
      { op: 'Unsqueeze', inputs: ['ids', 'one'], output: 'wide' },
      { op: 'Cast', inputs: ['wide'], output: 'floats', attributes: { to: 1 } },
      { op: 'Div', inputs: ['floats', 'thousand'], output: 'mean' },
      { op: 'Sign', inputs: ['floats'], output: 'durations' },
    ],
    constants: [
      { name: 'one', type: 'int64', shape: [1], values: [1] },
      { name: 'thousand', type: 'float', shape: [], values: [1000] },
    ],
  };
}

/** latent = (mean + noise × noise_scale) where there is a frame: [rows, channels, frames]. */
function acoustic(): Graph {
  return {
    inputs: [
      { name: 'mean', type: 'float', shape: ['rows', 1, 'frames'] },
      { name: 'scales', type: 'float', shape: [3, 'rows', 1, 1] },
      { name: 'noise', type: 'float', shape: ['rows', CHANNELS, 'frames'] },
    ],
    outputs: [{ name: 'latent', type: 'float', shape: ['rows', CHANNELS, 'frames'] }],
    nodes: [
      { op: 'Gather', inputs: ['scales', 'first'], output: 'noiseScale', attributes: { axis: 0 } },
      { op: 'Mul', inputs: ['noise', 'noiseScale'], output: 'deviation' },
      { op: 'Add', inputs: ['mean', 'deviation'], output: 'drawn' },
      { op: 'Sign', inputs: ['mean'], output: 'mask' },
      { op: 'Mul', inputs: ['drawn', 'mask'], output: 'latent' },
    ],
    constants: [{ name: 'first', type: 'int64', shape: [], values: [0] }],
  };
}

/** Convolutions with biases and rectifiers; HOP channels of the last become the samples of a frame. */
function vocoder(): Graph {
  const nodes: Node[] = [];
  const constants: Constant[] = [{ name: 'samples', type: 'int64', shape: [3], values: [0, 1, -1] }];
  KERNELS.forEach((kernel, layer) => {
    const last = layer === KERNELS.length - 1;
    const shape = [last ? HOP : CHANNELS, CHANNELS, kernel];
    constants.push({
      name: `weight${layer}`,
      type: 'float',
      shape,
      values: spread(
        shape.reduce((a, b) => a * b),
        layer,
      ),
    });
    constants.push({
      name: `bias${layer}`,
      type: 'float',
      shape: [shape[0]!],
      values: spread(shape[0]!, layer + 7),
    });
    const inputs = [layer === 0 ? 'latent' : `rectified${layer - 1}`, `weight${layer}`, `bias${layer}`];
    const padding = (kernel - 1) / 2;
    nodes.push({
      op: 'Conv',
      inputs,
      output: `layer${layer}`,
      attributes: { kernel_shape: [kernel], pads: [padding, padding] },
    });
    nodes.push({ op: last ? 'Tanh' : 'Relu', inputs: [`layer${layer}`], output: `rectified${layer}` });
  });
  nodes.push({
    op: 'Transpose',
    inputs: [`rectified${KERNELS.length - 1}`],
    output: 'frames',
    attributes: { perm: [0, 2, 1] },
  });
  nodes.push({ op: 'Reshape', inputs: ['frames', 'samples'], output: 'audio' });
  return {
    inputs: [{ name: 'latent', type: 'float', shape: ['rows', CHANNELS, 'frames'] }],
    outputs: [{ name: 'audio', type: 'float', shape: ['rows', 1, 'length'] }],
    nodes,
    constants,
  };
}

/** Fixed values without a pattern, in [-0.5, 0.5]. */
function spread(count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, i) => ((((i + 1) * 7919 + seed * 104729) % 1000) - 500) / 1000);
}

/** Adds to the audio the sum of so many zeros: none up to this many frames, beyond what any machine has above. */
function outOfMemoryBeyond(frames: number, graph: Graph): Graph {
  const nodes: Node[] = [
    { op: 'Shape', inputs: ['latent'], output: 'latentShape' },
    { op: 'Gather', inputs: ['latentShape', 'last'], output: 'frameCount', attributes: { axis: 0 } },
    { op: 'Greater', inputs: ['frameCount', 'most'], output: 'tooLong' },
    { op: 'Cast', inputs: ['tooLong'], output: 'excess', attributes: { to: 7 } },
    { op: 'Mul', inputs: ['excess', 'petabyte'], output: 'size' },
    { op: 'ConstantOfShape', inputs: ['size'], output: 'zeros' },
    { op: 'ReduceSum', inputs: ['zeros'], output: 'sum', attributes: { keepdims: 0 } },
    { op: 'Add', inputs: ['soundless', 'sum'], output: 'audio' },
  ];
  const constants: Constant[] = [
    { name: 'last', type: 'int64', shape: [1], values: [2] },
    { name: 'most', type: 'int64', shape: [1], values: [frames] },
    { name: 'petabyte', type: 'int64', shape: [1], values: [2 ** 48] },
  ];
  const renamed = graph.nodes.map((node) =>
    node.output === 'audio' ? { ...node, output: 'soundless' } : node,
  );
  return { ...graph, nodes: [...renamed, ...nodes], constants: [...(graph.constants ?? []), ...constants] };
}

/** Adds to the audio a zero from a table of one, looked up by 0 where the axis has one of these lengths, else by 1. */
function failingBut(lengths: number[], axis: number, graph: Graph): Graph {
  const nodes: Node[] = [
    { op: 'Shape', inputs: ['latent'], output: 'latentShape' },
    { op: 'Gather', inputs: ['latentShape', 'last'], output: 'frameCount', attributes: { axis: 0 } },
    { op: 'Sub', inputs: ['lengths', 'frameCount'], output: 'differences' },
    { op: 'Abs', inputs: ['differences'], output: 'distances' },
    { op: 'ReduceMin', inputs: ['distances'], output: 'least', attributes: { axes: [0], keepdims: 1 } },
    { op: 'Min', inputs: ['least', 'one'], output: 'index' },
    { op: 'GatherElements', inputs: ['table', 'index'], output: 'zero', attributes: { axis: 0 } },
    { op: 'Add', inputs: ['soundless', 'zero'], output: 'audio' },
  ];
  const constants: Constant[] = [
    { name: 'last', type: 'int64', shape: [1], values: [axis] },
    { name: 'lengths', type: 'int64', shape: [lengths.length], values: lengths },
    { name: 'one', type: 'int64', shape: [1], values: [1] },
    { name: 'table', type: 'float', shape: [1], values: [0] },
  ];
  const renamed = graph.nodes.map((node) =>
    node.output === 'audio' ? { ...node, output: 'soundless' } : node,
  );
  return { ...graph, nodes: [...renamed, ...nodes], constants: [...(graph.constants ?? []), ...constants] };
}
