import { intOf } from './onnx/attributes.js';
import { makeFloats, makeInt, makeInts, makeNode } from './onnx/build.js';
import type { Graph, Node, Tensor } from './onnx/model.js';
import { dimsOf, elementsOf, floatsOf, Topology } from './onnx/topology.js';

/** Channels that a blocked layout holds together and computes at once, on every CPU that has one: fewer cost as much. */
export const BLOCK = 16;

/**
 * Keeps LeakyRelu in ONNX Runtime's blocked layout. That knows no LeakyRelu, so every one costs a reordering before
 * and behind it; but it knows it as the activation of a convolution. So each LeakyRelu, and each transposed
 * convolution's output, gets a convolution before it that changes nothing: depthwise, kernel 1, weights 1. A division
 * by a constant before a LeakyRelu becomes its weight. The runtime then fuses the two.
 *
 * For graphs of convolutions in height one, [rows, channels, 1, length], on CPUs.
 */
export function keepActivationsBlocked(graph: Graph): Graph {
  return new Blocking(graph).graph();
}

class Blocking {
  readonly #topology: Topology;
  readonly #nodes: Node[] = [];
  readonly #initializers: Map<string, Tensor>;
  readonly #renamed = new Map<string, string>();

  constructor(private readonly source: Graph) {
    this.#topology = new Topology(source);
    this.#initializers = new Map(source.initializers.map((tensor) => [tensor.name, tensor]));
  }

  graph(): Graph {
    for (const node of this.source.nodes) this.#take(node);
    const wanted = new Set([
      ...this.#nodes.flatMap(({ inputs }) => inputs),
      ...this.source.outputs.map(({ name }) => name),
    ]);
    const nodes = this.#nodes.filter(({ outputs }) => outputs.some((output) => wanted.has(output)));
    return { ...this.source, nodes, initializers: [...this.#initializers.values()] };
  }

  #take(original: Node): void {
    const inputs = original.inputs.map((name) => this.#renamed.get(name) ?? name);
    const node = { ...original, inputs };
    if (node.operator === 'LeakyRelu') this.#takeActivation(original, node);
    else this.#nodes.push(node);
    if (node.operator === 'ConvTranspose') this.#enter(node.outputs[0]!);
  }

  /** A convolution's only consumer is fused without our help. */
  #takeActivation(original: Node, node: Node): void {
    const input = original.inputs[0]!;
    const isFused =
      this.#topology.producer(input)?.operator === 'Conv' && this.#topology.consumers(input).length === 1;
    const [dividend, divisor] = this.#division(input);
    const channels = this.#channels(input);
    if (isFused || channels === undefined) {
      this.#nodes.push(node);
      return;
    }
    const source = this.#renamed.get(dividend) ?? dividend;
    const blocked = `${node.outputs[0]}/blocked`;
    this.#pushIdentity(source, blocked, channels, 1 / divisor);
    this.#nodes.push({ ...node, inputs: [blocked] });
  }

  /** `x ÷ constant`, where nothing else uses the quotient, as [x, constant]; else the tensor itself, and 1. */
  #division(tensor: string): [string, number] {
    const producer = this.#topology.producer(tensor);
    const constant = producer?.operator === 'Div' ? this.#topology.constant(producer.inputs[1]!) : undefined;
    const divisor = constant && elementsOf(constant) === 1 ? floatsOf(constant)?.[0] : undefined;
    const isPositive = divisor !== undefined && divisor > 0;
    return isPositive && this.#topology.consumers(tensor).length === 1
      ? [producer!.inputs[0]!, divisor]
      : [tensor, 1];
  }

  /** What comes in the plain layout is taken into the blocked one once, for all that use it. */
  #enter(tensor: string): void {
    const channels = this.#channels(tensor);
    if (channels === undefined) return;
    const blocked = `${tensor}/blocked`;
    this.#pushIdentity(tensor, blocked, channels, 1);
    this.#renamed.set(tensor, blocked);
  }

  #pushIdentity(input: string, output: string, channels: number, weight: number): void {
    const name = `lantang/identity_${channels}_${weight}`;
    this.#initializers.set(
      name,
      makeFloats(name, [channels, 1, 1, 1], new Float32Array(channels).fill(weight)),
    );
    const attributes = [makeInt('group', channels), makeInts('kernel_shape', [1, 1])];
    this.#nodes.push(makeNode('Conv', [input, name], output, attributes));
  }

  /** Channels of what a convolution has made, elementwise operators in between; undefined where they fill no block. */
  #channels(tensor: string): number | undefined {
    let producer = this.#topology.producer(tensor);
    while (producer && !['Conv', 'ConvTranspose'].includes(producer.operator)) {
      if (!['LeakyRelu', 'Add', 'Div'].includes(producer.operator)) return undefined;
      producer = this.#topology.producer(producer.inputs[0]!);
    }
    const weights = producer && this.#topology.constant(producer.inputs[1]!);
    if (weights?.dims.length !== 4) return undefined;
    const [first, second] = dimsOf(weights) as [number, number];
    const channels = producer!.operator === 'Conv' ? first : second * intOf(producer!, 'group', 1);
    return channels % BLOCK === 0 ? channels : undefined;
  }
}
