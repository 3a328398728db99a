import { makeInt64Vector, makeNode, makeValueInfo } from './onnx/build.js';
import { DataType, type Graph, type Node } from './onnx/model.js';
import { integersOf, Topology } from './onnx/topology.js';

/*
 * Published graphs take one speaker and one set of scales for all rows of a batch, though nothing inside depends on
 * it: the shapes are only declared so. Here every row gets its own.
 */

/** `sid`: int64 [1] → [rows]. */
export function speakerPerRow(graph: Graph, speaker: string): Graph {
  return redeclare(graph, speaker, DataType.INT64, ['rows']);
}

/**
 * `scales`: float32 [3] → [3, rows, 1, 1]. The graph takes each scale out with a Gather along the first axis, which
 * then gives [rows, 1, 1] and spreads over tensors of `rank` 3, [rows, channels, length]. For those of rank 2,
 * [rows, length], the last axis is dropped again.
 */
export function scalesPerRow(graph: Graph, scales: string, rank: 2 | 3): { graph: Graph } | { lost: string } {
  const topology = new Topology(graph);
  const gathers = topology.consumers(scales);
  if (!gathers.every((node) => takesOneScale(node, topology))) {
    return { lost: 'Rows with different scales run alone: the scales are not taken apart by Gather nodes.' };
  }
  const wide = redeclare(graph, scales, DataType.FLOAT, [3, 'rows', 1, 1]);
  return { graph: rank === 3 ? wide : dropLastAxis(wide, new Set(gathers)) };
}

function takesOneScale(node: Node, topology: Topology): boolean {
  const axis = node.attributes.find(({ name }) => name === 'axis')?.int ?? 0n;
  return (
    node.operator === 'Gather' && axis === 0n && integersOf(topology.constant(node.inputs[1]!)) !== undefined
  );
}

function dropLastAxis(graph: Graph, gathers: ReadonlySet<Node>): Graph {
  const axes = makeInt64Vector('lantang/last_axis', [2]);
  const nodes = graph.nodes.flatMap((node) => {
    if (!gathers.has(node)) return [node];
    const [scale] = node.outputs as [string];
    const wide = `${scale}/per_row`;
    return [{ ...node, outputs: [wide] }, makeNode('Squeeze', [wide, axes.name], scale)];
  });
  return { ...graph, nodes, initializers: [...graph.initializers, axes] };
}

function redeclare(graph: Graph, name: string, elementType: number, shape: (number | string)[]): Graph {
  const inputs = graph.inputs.map((input) =>
    input.name === name ? makeValueInfo(name, elementType, shape) : input,
  );
  return { ...graph, inputs };
}
