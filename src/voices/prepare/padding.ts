import { intsOf, isPaddedByRuntime } from './onnx/attributes.js';
import { makeInts } from './onnx/build.js';
import type { Graph, Node } from './onnx/model.js';
import { floatsOf, integersOf, Topology } from './onnx/topology.js';

/** Convolutions of one dimension pad by themselves what is padded with zeros for them alone. */
export function padInConvolutions(graph: Graph): Graph {
  const topology = new Topology(graph);
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  const merged = new Set<Node>();
  const nodes = graph.nodes.map((node) => {
    const pad = node.operator === 'Conv' ? topology.producer(node.inputs[0]!) : undefined;
    const isOnlyFor =
      pad && topology.consumers(pad.outputs[0]!).length === 1 && !outputs.has(pad.outputs[0]!);
    const padded = isOnlyFor ? withPadding(node, pad, topology) : undefined;
    if (padded) merged.add(pad!);
    return padded ?? node;
  });
  return merged.size === 0 ? graph : { ...graph, nodes: nodes.filter((node) => !merged.has(node)) };
}

function withPadding(conv: Node, pad: Node, topology: Topology): Node | undefined {
  const added = pad.operator === 'Pad' ? zerosAround(pad, topology) : undefined;
  const pads = intsOf(conv, 'pads') ?? [0, 0];
  if (!added || pads.length !== 2 || isPaddedByRuntime(conv)) return undefined;
  const others = conv.attributes.filter(({ name }) => name !== 'pads');
  const all = makeInts('pads', [pads[0]! + added[0], pads[1]! + added[1]]);
  return { ...conv, inputs: [pad.inputs[0]!, ...conv.inputs.slice(1)], attributes: [...others, all] };
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
