import { intsOf } from './onnx/attributes.js';
import type { Node } from './onnx/model.js';
import type { Topology } from './onnx/topology.js';
import { plainConvolution } from './plain-convolution.js';

/** A transposed convolution that makes `phases` samples of each, as an ordinary one to so many times the channels. */
export interface Phases {
  /** [phases · channels out, channels in, 1, taps], row by row. */
  filter: Float32Array;
  dims: [number, number, number, number];
  dilation: 1;
  /** Zeros before the samples, and as many behind. */
  padding: number;
  phases: number;
  /** Samples to leave out at the result's begin. */
  cut: number;
}

/**
 * Polyphase decomposition (Vaidyanathan, "Multirate systems and filter banks", 1993, section 4.3): the outputs of all
 * phases q come from the same inputs, `y[s·m + q − cut] = Σ_l w[s·l + q] · x[m − l]` for m = 0 … length + taps − 2, as
 * dense products instead of scattered sums. Undefined where the node is of another kind, or does not give `phases`
 * samples of each.
 */
export function phasesOf(node: Node, topology: Topology): Phases | undefined {
  const convolution = node.operator === 'ConvTranspose' ? plainConvolution(node, topology) : undefined;
  if (!convolution) return undefined;
  const { filter, stride, dilation } = convolution;
  const [inputs, outputs, , kernel] = convolution.dims;
  const [cut, end] = convolution.padding;
  const cutEnd = end - (intsOf(node, 'output_padding')?.[1] ?? 0);
  const givesMultiple = cut + cutEnd === kernel - stride && kernel % stride === 0;
  if (stride === 1 || dilation !== 1 || !givesMultiple || cutEnd < 0) return undefined;
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
  return { filter: phased, dims, dilation, padding: taps - 1, phases: stride, cut };
}
