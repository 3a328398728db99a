import type { Graph, Node, Tensor } from './onnx/model.js';

/** Turns Constant nodes into initializers, which is what the other steps know and what may stand in several stages. */
export function constantsAsInitializers(graph: Graph): Graph {
  const initializers: Tensor[] = [...graph.initializers];
  const nodes = graph.nodes.filter((node) => {
    const tensor = constantOf(node);
    if (tensor) initializers.push({ ...tensor, name: node.outputs[0]! });
    return !tensor;
  });
  return { ...graph, nodes, initializers };
}

function constantOf(node: Node): Tensor | undefined {
  if (node.operator !== 'Constant') return undefined;
  return node.attributes.find(({ name }) => name === 'value')?.tensor;
}
