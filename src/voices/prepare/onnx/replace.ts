import type { Graph, Node, Tensor } from './model.js';
import { Topology } from './topology.js';

/** What stands where one node stood; the last of the nodes makes its output. */
export interface Replacement {
  nodes: Node[];
  initializers: Tensor[];
}

/** The graph with each node for which there is a replacement replaced, without the initializers that nothing uses then. */
export function replaceNodes(
  graph: Graph,
  replacement: (node: Node, topology: Topology) => Replacement | undefined,
): Graph {
  const topology = new Topology(graph);
  const nodes: Node[] = [];
  const initializers = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  for (const node of graph.nodes) {
    const found = replacement(node, topology);
    nodes.push(...(found?.nodes ?? [node]));
    for (const tensor of found?.initializers ?? []) initializers.set(tensor.name, tensor);
  }
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  return { ...graph, nodes, initializers: [...initializers.values()].filter(({ name }) => used.has(name)) };
}
