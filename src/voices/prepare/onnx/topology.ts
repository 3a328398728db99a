import { DataType, type Graph, type Node, type Tensor } from './model.js';

/** How a graph hangs together: answers about one graph, which must not be changed meanwhile. */
export class Topology {
  readonly #producers = new Map<string, Node>();
  readonly #consumers = new Map<string, Node[]>();
  readonly #constants = new Map<string, Tensor>();

  constructor(graph: Graph) {
    for (const tensor of graph.initializers) this.#constants.set(tensor.name, tensor);
    for (const node of graph.nodes) {
      for (const output of node.outputs) this.#producers.set(output, node);
      for (const input of new Set(node.inputs)) this.#consumersOf(input).push(node);
    }
  }

  #consumersOf(tensor: string): Node[] {
    const known = this.#consumers.get(tensor);
    if (known) return known;
    const fresh: Node[] = [];
    this.#consumers.set(tensor, fresh);
    return fresh;
  }

  producer(tensor: string): Node | undefined {
    return this.#producers.get(tensor);
  }

  consumers(tensor: string): readonly Node[] {
    return this.#consumers.get(tensor) ?? [];
  }

  /** The initializer of that name. */
  constant(tensor: string): Tensor | undefined {
    return this.#constants.get(tensor);
  }

  /** All nodes that a tensor's value reaches. */
  downstream(tensor: string): Set<Node> {
    const reached = new Set<Node>();
    const open = [tensor];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      for (const node of this.consumers(name)) {
        if (reached.has(node)) continue;
        reached.add(node);
        open.push(...node.outputs);
      }
    }
    return reached;
  }

  /** All nodes that `tensors` are made from, going no further up than `given`. */
  upstream(tensors: string[], given: ReadonlySet<string>): Set<Node> {
    const reached = new Set<Node>();
    const open = tensors.filter((name) => !given.has(name));
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const node = this.#producers.get(name);
      if (!node || reached.has(node)) continue;
      reached.add(node);
      open.push(...node.inputs.filter((input) => !given.has(input)));
    }
    return reached;
  }
}

export function dimsOf(tensor: Tensor): number[] {
  return tensor.dims.map(Number);
}

export function elementsOf(tensor: Tensor): number {
  return dimsOf(tensor).reduce((product, size) => product * size, 1);
}

/** The values of a constant of integers; undefined where it is none. */
export function integersOf(tensor: Tensor | undefined): number[] | undefined {
  if (tensor?.dataType === DataType.INT64) {
    if (!tensor.raw) return tensor.int64s.map(Number);
    return [...new BigInt64Array(aligned(tensor.raw))].map(Number);
  }
  if (tensor?.dataType === DataType.INT32) {
    return tensor.raw ? [...new Int32Array(aligned(tensor.raw))] : tensor.int32s;
  }
  return undefined;
}

/** The number that a constant of one float32 holds; undefined where it is no such constant. */
export function numberOf(tensor: Tensor | undefined): number | undefined {
  return tensor && elementsOf(tensor) === 1 ? floatsOf(tensor)?.[0] : undefined;
}

/** The values of a constant of float32; undefined where it is none. */
export function floatsOf(tensor: Tensor | undefined): Float32Array | undefined {
  if (tensor?.dataType !== DataType.FLOAT) return undefined;
  return tensor.raw ? new Float32Array(aligned(tensor.raw)) : Float32Array.from(tensor.floats);
}

/** A copy at the start of a buffer of its own: typed arrays must be aligned, bytes inside a file are not. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
