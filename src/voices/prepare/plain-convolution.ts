import { intOf, intsOf, isPaddedByRuntime } from './onnx/attributes.js';
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
  const isHigh = weights?.dims.length !== 4 || weights.dims[2] !== 1n;
  if (!weights || !filter || isHigh || !isPlain(node)) return undefined;
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
  const hasOwnShape = node.attributes.some(({ name }) => name === 'output_shape');
  return !hasOwnShape && !isPaddedByRuntime(node) && intOf(node, 'group', 1) === 1 && keepsHeight(node);
}

function keepsHeight(node: Node): boolean {
  const at = (name: string, axis: number, usual: number) => intsOf(node, name)?.[axis] ?? usual;
  const added = [at('pads', 0, 0), at('pads', 2, 0), at('output_padding', 0, 0)];
  return added.every((rows) => rows === 0) && at('strides', 0, 1) === 1 && at('dilations', 0, 1) === 1;
}
