import { BLOCK } from './blocked-activations.js';
import { makeFloats, makeInt64Vector, makeInts, makeNode } from './onnx/build.js';
import { intsOf } from './onnx/attributes.js';
import type { Graph, Node, Tensor } from './onnx/model.js';
import { replaceNodes, type Replacement } from './onnx/replace.js';
import { floatsOf, type Topology } from './onnx/topology.js';
import { plainConvolution } from './plain-convolution.js';

/*
 * Convolutions that work on `phases` neighbouring samples at once, as so many channels (polyphase decomposition:
 * Vaidyanathan, "Multirate systems and filter banks", 1993, section 4.3). For convolutions in height one.
 */

/**
 * A transposed convolution of stride s becomes an ordinary one with s times the channels, whose outputs are the s
 * samples that follow each other: dense matrix products instead of scattered sums.
 */
export function upsampleInPhases(graph: Graph): Graph {
  return replaceNodes(graph, (node, topology) =>
    node.operator === 'ConvTranspose' ? upsampledInPhases(node, topology) : undefined,
  );
}

function upsampledInPhases(node: Node, topology: Topology): Replacement | undefined {
  const found = phasesOf(node, topology);
  if (!found) return undefined;
  const { filter, dims, phases, cut, cutEnd } = found;
  const [channels, , , taps] = dims;
  const conv = {
    weights: makeFloats(`${node.outputs[0]}/phase_weights`, dims, filter),
    attributes: [makeInts('kernel_shape', [1, taps]), makeInts('pads', [0, taps - 1, 0, taps - 1])],
  };
  return inPhases(node, topology, conv, { phases, channels: channels / phases, cut: [cut, cutEnd] });
}

/** A transposed convolution that makes `phases` samples of each, as an ordinary one to so many times the channels. */
export interface Phases {
  /** [phases · channels out, channels in, 1, taps], row by row. */
  filter: Float32Array;
  dims: [number, number, number, number];
  dilation: 1;
  /** Zeros before the samples, and as many behind. */
  padding: number;
  phases: number;
  /** Samples to leave out at the result's begin and end. */
  cut: number;
  cutEnd: number;
}

/**
 * `y[s·m + q − pad] = Σ_l w[s·l + q] · x[m − l]` for m = 0 … length + taps − 2: all phases q from the same inputs.
 * Undefined where the node is of another kind, or does not give `phases` samples of each.
 */
export function phasesOf(node: Node, topology: Topology): Phases | undefined {
  const convolution = node.operator === 'ConvTranspose' ? plainConvolution(node, topology) : undefined;
  if (!convolution) return undefined;
  const { filter, stride, dilation } = convolution;
  const [inputs, outputs, , kernel] = convolution.dims;
  const [cut, end] = convolution.padding;
  const cutEnd = end - (intsOf(node, 'output_padding')?.[1] ?? 0);
  const isMultiple = cut + cutEnd === kernel - stride && kernel % stride === 0;
  if (stride === 1 || dilation !== 1 || !isMultiple || cutEnd < 0) return undefined;
  const taps = kernel / stride;
  const phased = new Float32Array(stride * outputs * inputs * taps);
  for (let q = 0, at = 0; q < stride; q++) {
    for (let output = 0; output < outputs; output++) {
      for (let input = 0; input < inputs; input++) {
        for (let tap = taps - 1; tap >= 0; tap--) {
          phased[at++] = filter[(input * outputs + output) * kernel + stride * tap + q]!;
        }
      }
    }
  }
  const dims: Phases['dims'] = [stride * outputs, inputs, 1, taps];
  return { filter: phased, dims, dilation, padding: taps - 1, phases: stride, cut, cutEnd };
}

/**
 * A convolution to one channel, as a vocoder's last is, becomes one to 16: sixteen samples at once, by as many shifted
 * copies of its filter. Its output's length must be a multiple of 16, which the caller knows.
 */
export function narrowInPhases(graph: Graph): Graph {
  return replaceNodes(graph, (node, topology) =>
    node.operator === 'Conv' ? narrowedInPhases(node, topology) : undefined,
  );
}

function narrowedInPhases(node: Node, topology: Topology): Replacement | undefined {
  const convolution = plainConvolution(node, topology);
  if (!convolution) return undefined;
  const { filter, stride, dilation } = convolution;
  const [outputs, inputs, , kernel] = convolution.dims;
  const [begin, end] = convolution.padding;
  const keepsLength = stride === 1 && dilation === 1 && begin + end === kernel - 1;
  if (outputs !== 1 || !keepsLength) return undefined;
  const width = kernel + BLOCK - 1;
  const shifted = new Float32Array(BLOCK * inputs * width);
  for (let q = 0; q < BLOCK; q++) {
    for (let input = 0; input < inputs; input++) {
      shifted.set(filter.subarray(input * kernel, (input + 1) * kernel), (q * inputs + input) * width + q);
    }
  }
  const conv = {
    weights: makeFloats(`${node.outputs[0]}/phase_weights`, [BLOCK, inputs, 1, width], shifted),
    attributes: [
      makeInts('kernel_shape', [1, width]),
      makeInts('strides', [1, BLOCK]),
      makeInts('pads', [0, begin, 0, end]),
    ],
  };
  return inPhases(node, topology, conv, { phases: BLOCK, channels: 1, cut: [0, 0] });
}

interface Blocks {
  phases: number;
  /** Of the result. */
  channels: number;
  /** Samples of the result to leave out at its begin and end; none where it has one channel. */
  cut: [number, number];
}

/** The convolution, [rows, phases · channels, 1, blocks], and its way back to [rows, channels, 1, samples]. */
function inPhases(
  node: Node,
  topology: Topology,
  { weights, attributes }: { weights: Tensor; attributes: Node['attributes'] },
  { phases, channels, cut }: Blocks,
): Replacement | undefined {
  const output = node.outputs[0]!;
  const named = (part: string) => `${output}/${part}`;
  const shape = channels === 1 ? [0, 1, 1, -1] : [0, 1, -1, channels];
  const initializers = [weights, makeInt64Vector(named('shape'), shape)];
  const inputs = [node.inputs[0]!, weights.name];
  if (node.inputs[2]) {
    const bias = floatsOf(topology.constant(node.inputs[2]));
    if (!bias) return undefined;
    const repeated = Float32Array.from({ length: phases * channels }, (_, i) => bias[i % channels]!);
    initializers.push(makeFloats(named('phase_bias'), [phases * channels], repeated));
    inputs.push(named('phase_bias'));
  }
  const nodes = [
    { ...makeNode('Conv', inputs, named('blocks'), attributes), name: `${node.name}/phases` },
    makeNode('Transpose', [named('blocks')], named('last'), [makeInts('perm', [0, 2, 3, 1])]),
  ];
  if (channels === 1)
    return { nodes: [...nodes, makeNode('Reshape', [named('last'), named('shape')], output)], initializers };
  nodes.push(makeNode('Reshape', [named('last'), named('shape')], named('samples')));
  const limits = { from: cut[0], to: cut[1] > 0 ? -cut[1] : Number.MAX_SAFE_INTEGER, axis: 2 };
  for (const [part, value] of Object.entries(limits))
    initializers.push(makeInt64Vector(named(part), [value]));
  nodes.push(makeNode('Slice', [named('samples'), named('from'), named('to'), named('axis')], named('cut')));
  nodes.push(makeNode('Transpose', [named('cut')], output, [makeInts('perm', [0, 3, 1, 2])]));
  return { nodes, initializers };
}
