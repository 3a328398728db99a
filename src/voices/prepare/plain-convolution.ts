import { intOf, intsOf } from './onnx/attributes.js';
import type { Node } from './onnx/model.js';
import { dimsOf, floatsOf, type Topology } from './onnx/topology.js';

/** A convolution in height one, without groups or automatic padding. */
export interface PlainConvolution {
  /** Of the weights, row by row. */
  filter: Float32Array;
  /** Of the weights: [channels out, channels in, 1, taps], or of a transposed convolution [in, out, 1, taps]. */
  dims: [number, number, number, number];
  stride: number;
  dilation: number;
  /** Zeros before and behind the samples. */
  padding: [number, number];
}

/** Undefined where the node is no such convolution, or its weights are not constant. */
export function plainConvolution(node: Node, topology: Topology): PlainConvolution | undefined {
  const weights = topology.constant(node.inputs[1]!);
  const filter = floatsOf(weights);
  if (!weights || !filter || weights.dims.length !== 4 || !isPlain(node)) return undefined;
  const pads = intsOf(node, 'pads') ?? [0, 0, 0, 0];
  return {
    filter,
    dims: dimsOf(weights) as [number, number, number, number],
    stride: intsOf(node, 'strides')?.[1] ?? 1,
    dilation: intsOf(node, 'dilations')?.[1] ?? 1,
    padding: [pads[1]!, pads[3]!],
  };
}

function isPlain(node: Node): boolean {
  const automatic = node.attributes.some(({ name }) => name === 'auto_pad' || name === 'output_shape');
  return !automatic && intOf(node, 'group', 1) === 1;
}
