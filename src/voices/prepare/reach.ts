import { intsOf } from './onnx/attributes.js';
import type { Graph, Node } from './onnx/model.js';
import { dimsOf, Topology } from './onnx/topology.js';

interface Position {
  /** Samples per frame of the latent. */
  rate: number;
  /** Frames to each side that a sample here depends on. */
  reach: number;
}

/**
 * Frames to each side of the latent that the vocoder looks at, rounded up, as its convolutions add up. Elementwise
 * operators look at nothing beside. For graphs whose convolutions have one dimension or height one.
 */
export function vocoderReach(vocoder: Graph, latent: string): number {
  const topology = new Topology(vocoder);
  const positions = new Map<string, Position>([[latent, { rate: 1, reach: 0 }]]);
  let furthest = 0;
  for (const node of vocoder.nodes) {
    const inputs = node.inputs.flatMap((name) => positions.get(name) ?? []);
    if (inputs.length === 0) continue;
    const { rate } = inputs[0]!;
    const reach = Math.max(...inputs.map((input) => input.reach));
    const position = behind(node, { rate, reach }, topology);
    for (const output of node.outputs) positions.set(output, position);
    furthest = Math.max(furthest, position.reach);
  }
  return Math.ceil(furthest);
}

function behind(node: Node, { rate, reach }: Position, topology: Topology): Position {
  const weights = topology.constant(node.inputs[1] ?? '');
  const kernel = weights ? (dimsOf(weights).at(-1) ?? 1) : 1;
  const stride = intsOf(node, 'strides')?.at(-1) ?? 1;
  const dilation = intsOf(node, 'dilations')?.at(-1) ?? 1;
  const span = (kernel - 1) * dilation;
  if (node.operator === 'ConvTranspose') return { rate: rate * stride, reach: reach + span / stride / rate };
  if (node.operator !== 'Conv') return { rate, reach };
  const pads = intsOf(node, 'pads') ?? [0];
  const before = pads.length > 1 ? pads[pads.length / 2 - 1]! : 0;
  return { rate: rate / stride, reach: reach + Math.max(before, span - before) / rate };
}
