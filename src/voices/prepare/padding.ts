import { intsOf } from './onnx/attributes.js';
import { makeInts } from './onnx/build.js';
import type { Graph, Node } from './onnx/model.js';
import { floatsOf, integersOf, Topology } from './onnx/topology.js';

/** Convolutions of one dimension pad by themselves what is padded with zeros for them alone. */
export function padInConvolutions(graph: Graph): Graph {
  const topology = new Topology(graph);
  const nodes = graph.nodes.map((node) => (node.operator === 'Conv' ? withPadding(node, topology) : node));
  const used = new Set([...nodes.flatMap(({ inputs }) => inputs), ...graph.outputs.map(({ name }) => name)]);
  const needed = nodes.filter(({ operator, outputs }) => operator !== 'Pad' || used.has(outputs[0]!));
  return needed.length === graph.nodes.length ? graph : { ...graph, nodes: needed };
}

function withPadding(conv: Node, topology: Topology): Node {
  const pad = topology.producer(conv.inputs[0]!);
  const added = pad?.operator === 'Pad' ? zerosAround(pad, topology) : undefined;
  const pads = intsOf(conv, 'pads') ?? [0, 0];
  const isAutomatic = conv.attributes.some(({ name }) => name === 'auto_pad');
  if (!added || pads.length !== 2 || isAutomatic) return conv;
  const others = conv.attributes.filter(({ name }) => name !== 'pads');
  const all = makeInts('pads', [pads[0]! + added[0], pads[1]! + added[1]]);
  return { ...conv, inputs: [pad!.inputs[0]!, ...conv.inputs.slice(1)], attributes: [...others, all] };
}

/** Zeros before and behind along the last of three axes; undefined where it pads otherwise. */
function zerosAround({ inputs, attributes }: Node, topology: Topology): [number, number] | undefined {
  const mode = attributes.find(({ name }) => name === 'mode')?.string;
  const pads = integersOf(topology.constant(inputs[1] ?? ''));
  const value = inputs[2] ? floatsOf(topology.constant(inputs[2]))?.[0] : 0;
  const isConstant = mode === undefined || new TextDecoder().decode(mode) === 'constant';
  if (!isConstant || value !== 0 || inputs[3] || pads?.length !== 6) return undefined;
  const [before, behind] = [pads[2]!, pads[5]!];
  const isElsewhere = [0, 1, 3, 4].some((index) => pads[index] !== 0);
  return isElsewhere || before < 0 || behind < 0 ? undefined : [before, behind];
}
