import type { GraphManifest } from '../manifest.js';
import { makeFloats, makeNode, makeValueInfo } from './onnx/build.js';
import { DataType, type Graph, type Node, type Tensor } from './onnx/model.js';
import { integersOf, Topology } from './onnx/topology.js';

type NoiseInput = GraphManifest['noise'][number];

/**
 * Makes every RandomNormalLike an input: the runtime's own generator can't be seeded per row, and would give a row
 * other noise beside other rows.
 *
 * Noise that depends on the durations has one value per frame (the prior's, with as many channels as the latent);
 * the other one per id (the duration predictor's, whose shape the graph puts together itself). Without
 * `latentChannels` there must be none per frame.
 */
export function feedNoise(
  graph: Graph,
  durations: string,
  latentChannels?: number,
): { graph: Graph; noise: NoiseInput[] } | { lost: string } {
  const topology = new Topology(graph);
  const afterDurations = topology.downstream(durations);
  const noise: NoiseInput[] = [];
  const initializers: Tensor[] = [];
  const nodes: Node[] = [];
  for (const node of graph.nodes) {
    if (node.operator !== 'RandomNormalLike') {
      nodes.push(node);
      continue;
    }
    const perFrame = afterDurations.has(node);
    const channels = perFrame ? latentChannels : constantSize(topology.producer(node.inputs[0]!), topology);
    if (channels === undefined)
      return { lost: 'Noise is not seeded: how many channels it has is not found.' };
    const output = node.outputs[0]!;
    const standard = isStandard(node) ? output : `${output}/standard`;
    noise.push({ name: standard, channels, length: perFrame ? 'frames' : 'ids' });
    if (!isStandard(node)) addScaling(node, standard, nodes, initializers);
  }
  if (graph.nodes.some(isOtherNoise))
    return { lost: 'Noise is not seeded: it is not made by RandomNormalLike.' };
  return {
    graph: withInputs({ ...graph, nodes, initializers: [...graph.initializers, ...initializers] }, noise),
    noise,
  };
}

/** Whether a graph draws anything at random. */
export function makesNoise(graph: Graph): boolean {
  return graph.nodes.some((node) => node.operator === 'RandomNormalLike' || isOtherNoise(node));
}

const OTHER_NOISE = ['RandomNormal', 'RandomUniform', 'RandomUniformLike', 'Multinomial', 'Bernoulli'];

function isOtherNoise(node: Node): boolean {
  return OTHER_NOISE.includes(node.operator);
}

const deviationOf = (node: Node) => node.attributes.find(({ name }) => name === 'scale')?.float ?? 1;
const meanOf = (node: Node) => node.attributes.find(({ name }) => name === 'mean')?.float ?? 0;

function isStandard(node: Node): boolean {
  return deviationOf(node) === 1 && meanOf(node) === 0;
}

/** output = standard × deviation + mean */
function addScaling(node: Node, standard: string, nodes: Node[], initializers: Tensor[]): void {
  const output = node.outputs[0]!;
  const [deviation, mean, scaled] = [`${output}/deviation`, `${output}/mean`, `${output}/scaled`];
  initializers.push(makeFloats(deviation, [], Float32Array.of(deviationOf(node))));
  initializers.push(makeFloats(mean, [], Float32Array.of(meanOf(node))));
  nodes.push(makeNode('Mul', [standard, deviation], scaled), makeNode('Add', [scaled, mean], output));
}

/** The second size of a tensor that a ConstantOfShape makes: [rows, size, ids]. */
function constantSize(node: Node | undefined, topology: Topology): number | undefined {
  const concat = node?.operator === 'ConstantOfShape' ? topology.producer(node.inputs[0]!) : undefined;
  if (concat?.operator !== 'Concat' || concat.inputs.length !== 3) return undefined;
  return integersOf(topology.constant(concat.inputs[1]!))?.[0];
}

function withInputs(graph: Graph, noise: NoiseInput[]): Graph {
  const inputs = noise.map(({ name, channels, length }) =>
    makeValueInfo(name, DataType.FLOAT, ['rows', channels, length]),
  );
  return { ...graph, inputs: [...graph.inputs, ...inputs] };
}
