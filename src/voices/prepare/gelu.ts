import { makeNode } from './onnx/build.js';
import { RUNTIME_DOMAIN } from './onnx/domains.js';
import type { Graph, Node } from './onnx/model.js';
import { numberOf, Topology } from './onnx/topology.js';

/** gelu(x) ≈ x/2 · (1 + tanh(√(2/π) · (x + 0.044715·x³))): Hendrycks and Gimpel, "Gaussian error linear units", 2016. */
const LINEAR = Math.sqrt(2 / Math.PI);
const CUBIC = 0.044715 * LINEAR;
/** Of constants, as float32 has them. */
const ROUNDING = 1e-6;

/** What adds up over time, as durations and phases do, or steps: a rounding before them becomes another sound. */
const ADDING_UP = new Set(['CumSum', 'Ceil', 'Floor', 'Round']);

/**
 * Writes Gaussian error linear units that an exporter spelled out as ONNX Runtime's FastGelu, and the bias before them as
 * its second input. Each of their eight nodes reads and writes the widest tensors of such networks. Those before what
 * would multiply their rounding stay as they are.
 */
export function fuseGelus(graph: Graph): Graph {
  const topology = new Topology(graph);
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  const fused = new Map<Node, Node>();
  const gone = new Set<Node>();
  for (const tanh of graph.nodes) {
    const spelled = tanh.operator === 'Tanh' ? spelledOut(tanh, topology) : undefined;
    if (!spelled || !areUsedWithin(spelled.inner, spelled.sum, topology, outputs)) continue;
    const further = [...topology.downstream(spelled.sum.outputs[0]!)];
    if (further.some(({ operator }) => ADDING_UP.has(operator))) continue;
    const bias = biasBefore(spelled.input, topology);
    const isOwn = bias && areUsedWithin([bias.node, ...spelled.inner], spelled.sum, topology, outputs);
    for (const node of isOwn ? [bias.node, ...spelled.inner] : spelled.inner) gone.add(node);
    const inputs = isOwn ? [bias.input, bias.bias] : [spelled.input];
    fused.set(spelled.sum, {
      ...makeNode('FastGelu', inputs, spelled.sum.outputs[0]!),
      domain: RUNTIME_DOMAIN,
    });
  }
  if (fused.size === 0) return graph;
  return {
    ...graph,
    nodes: graph.nodes.flatMap((node) => fused.get(node) ?? (gone.has(node) ? [] : [node])),
  };
}

interface Spelled {
  input: string;
  /** All but the last. */
  inner: Node[];
  sum: Node;
}

/** `h + h · tanh(x · (x² · cubic + linear))`, where h is x · ½. */
function spelledOut(tanh: Node, topology: Topology): Spelled | undefined {
  const bent = argumentOf(tanh, topology);
  const half =
    bent && topology.consumers(bent.input).find((node) => besideConstant(node, 'Mul', 0.5, topology));
  if (!half) return undefined;
  const product = sharing('Mul', half, tanh, topology);
  const sum = product && sharing('Add', half, product, topology);
  return sum && { input: bent.input, inner: [...bent.nodes, tanh, half, product], sum };
}

/** What goes into the tanh. */
function argumentOf(tanh: Node, topology: Topology): { input: string; nodes: Node[] } | undefined {
  const argument = topology.producer(tanh.inputs[0]!);
  if (argument?.operator !== 'Mul') return undefined;
  const madeBy = (name: string | undefined) => (name === undefined ? undefined : topology.producer(name));
  for (const [index, input] of argument.inputs.entries()) {
    const slope = madeBy(argument.inputs[1 - index]);
    const cube = madeBy(besideConstant(slope, 'Add', LINEAR, topology));
    const square = madeBy(besideConstant(cube, 'Mul', CUBIC, topology));
    const isSquare = square?.operator === 'Mul' && square.inputs.every((name) => name === input);
    if (slope && cube && isSquare) return { input, nodes: [square, cube, slope, argument] };
  }
  return undefined;
}

/** The other input of a node one of whose two is that number. */
function besideConstant(
  node: Node | undefined,
  operator: string,
  value: number,
  topology: Topology,
): string | undefined {
  if (node?.operator !== operator) return undefined;
  const index = node.inputs.findIndex((name) => {
    const number = numberOf(topology.constant(name));
    return number !== undefined && Math.abs(number - value) < ROUNDING;
  });
  return index < 0 ? undefined : node.inputs[1 - index];
}

/** The node that takes what two others make. */
function sharing(operator: string, one: Node, other: Node, topology: Topology): Node | undefined {
  const names = [one.outputs[0]!, other.outputs[0]!];
  return topology
    .consumers(names[1]!)
    .find((node) => node.operator === operator && names.every((name) => node.inputs.includes(name)));
}

/** A constant vector that is added to a product of matrices to make the tensor: it has a value for each column. */
function biasBefore(tensor: string, topology: Topology) {
  const node = topology.producer(tensor);
  if (node?.operator !== 'Add') return undefined;
  const bias = node.inputs.find((name) => {
    const { dims } = topology.constant(name) ?? {};
    return dims?.length === 1 && dims[0]! > 1n;
  });
  const input = node.inputs.find((name) => topology.producer(name)?.operator === 'MatMul');
  return bias && input ? { node, bias, input } : undefined;
}

function areUsedWithin(inner: Node[], last: Node, topology: Topology, outputs: ReadonlySet<string>): boolean {
  const own = new Set([...inner, last]);
  return inner.every(({ outputs: [name] }) => {
    return !outputs.has(name!) && topology.consumers(name!).every((node) => own.has(node));
  });
}
