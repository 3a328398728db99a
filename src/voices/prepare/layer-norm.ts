import { intsOf } from './onnx/attributes.js';
import { makeFloat, makeInt, makeNode } from './onnx/build.js';
import type { Graph, Node } from './onnx/model.js';
import { numberOf, Topology } from './onnx/topology.js';

/** LayerNormalization is an operator of its own since then; nothing that VITS uses has changed in between. */
export const LAYER_NORM_OPSET = 17n;
/** ReduceMean takes its axes as an attribute before then. */
export const MEAN_AXES_AS_INPUT = 18n;

/**
 * Writes layer normalisations that an exporter spelled out, nine nodes each, as one:
 * (x − mean x) ÷ √(mean (x − mean x)² + ε) · γ + β over the last axis.
 */
export function fuseLayerNorms(graph: Graph): Graph {
  const topology = new Topology(graph);
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  const fused = new Map<Node, Node>();
  const gone = new Set<Node>();
  for (const node of graph.nodes) {
    const spelled = node.operator === 'ReduceMean' ? spelledOut(node, topology) : undefined;
    if (!spelled || spelled.nodes.slice(0, -1).some((inner) => outputs.has(inner.outputs[0]!))) continue;
    for (const inner of spelled.nodes) gone.add(inner);
    fused.set(spelled.nodes.at(-1)!, spelled.norm);
  }
  if (fused.size === 0) return graph;
  return {
    ...graph,
    nodes: graph.nodes.flatMap((node) => fused.get(node) ?? (gone.has(node) ? [] : [node])),
  };
}

/** The nodes from the first mean to the last sum, and the one node that does the same. */
function spelledOut(mean: Node, topology: Topology): { nodes: Node[]; norm: Node } | undefined {
  const [input] = mean.inputs as [string];
  const centred = follower(mean, 'Sub', topology);
  const [square, quotient] = followers(centred, ['Pow', 'Div'], topology);
  const variance = follower(square, 'ReduceMean', topology);
  const sum = follower(variance, 'Add', topology);
  const deviation = follower(sum, 'Sqrt', topology);
  const scaled = follower(quotient, 'Mul', topology);
  const shifted = follower(scaled, 'Add', topology);
  const nodes = [mean, centred, square, variance, sum, deviation, quotient, scaled, shifted];
  if (!isComplete(nodes) || follower(deviation, 'Div', topology) !== quotient) return undefined;
  const epsilon = scalar(nodes[4], topology);
  const [gamma, beta] = [constantInput(nodes[7], topology), constantInput(nodes[8], topology)];
  const matches =
    nodes[1].inputs[0] === input &&
    nodes[6].inputs[0] === nodes[1].outputs[0] &&
    scalar(nodes[2], topology) === 2 &&
    [nodes[0], nodes[3]].every((one) => intsOf(one, 'axes')?.join() === '-1');
  if (!matches || epsilon === undefined || gamma === undefined || beta === undefined) return undefined;
  const attributes = [makeInt('axis', -1), makeFloat('epsilon', epsilon)];
  return {
    nodes,
    norm: makeNode('LayerNormalization', [input, gamma, beta], nodes[8].outputs[0]!, attributes),
  };
}

type Nine = [Node, Node, Node, Node, Node, Node, Node, Node, Node];

function isComplete(nodes: (Node | undefined)[]): nodes is Nine {
  return nodes.every((node) => node !== undefined);
}

/** The only node that uses what a node makes, if it is of that kind. */
function follower(node: Node | undefined, operator: string, topology: Topology): Node | undefined {
  const [only] = followers(node, [operator], topology);
  return only;
}

/** The nodes that use what a node makes, in the order of their kinds; none where there are others. */
function followers(node: Node | undefined, operators: string[], topology: Topology): (Node | undefined)[] {
  const found = node ? topology.consumers(node.outputs[0]!) : [];
  const ordered = operators.map((operator) => found.find((one) => one.operator === operator));
  return found.length === operators.length ? ordered : [];
}

function constantInput({ inputs }: Node, topology: Topology): string | undefined {
  return inputs.find((name) => topology.constant(name) !== undefined);
}

/** The single number that a node takes beside its tensor. */
function scalar(node: Node, topology: Topology): number | undefined {
  return numberOf(topology.constant(constantInput(node, topology) ?? ''));
}
