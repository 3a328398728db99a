import { makeValueInfo } from './onnx/build.js';
import { DataType, type Graph, type Node, type ValueInfo } from './onnx/model.js';
import { dimsOf, Topology } from './onnx/topology.js';

/** The part of a graph that is run at once. */
export interface Stage {
  name: string;
  graph: Graph;
}

/** The vocoder's entry: every Piper graph names its parts after the modules of VITS, the decoder `dec`. */
const VOCODER = '/dec/';
const ENTRY = '/dec/conv_pre/Conv';

export interface VocoderEntry {
  latent: string;
  /** Channels of the latent, which are also those of the prior. */
  channels: number;
}

/** Where the vocoder begins, or undefined in graphs of another kind. */
export function findVocoder(graph: Graph): VocoderEntry | undefined {
  const entry = graph.nodes.find(({ name }) => name === ENTRY);
  const weights = entry && graph.initializers.find(({ name }) => name === entry.inputs[1]);
  const channels = weights && dimsOf(weights)[1];
  return entry && channels ? { latent: entry.inputs[0]!, channels } : undefined;
}

/**
 * Cuts a graph into encoder, acoustic and vocoder.
 *
 * The vocoder is what lies behind the latent; the acoustic stage is everything else that depends on the durations, or
 * on noise per frame; the encoder is the rest. So what crosses the first border is per id (small), and the count of
 * frames is known there.
 */
export function split(
  graph: Graph,
  tensors: { durations: string; frameNoise: string[]; latent: string; audio: string },
): Stage[] | { lost: string } {
  const topology = new Topology(graph);
  const vocoder = topology.upstream([tensors.audio], vocoderInputs(graph, topology, tensors.latent));
  const perFrame = [tensors.durations, ...tensors.frameNoise];
  const acoustic = new Set(perFrame.flatMap((name) => [...topology.downstream(name)]));
  for (const node of vocoder) acoustic.delete(node);
  if (topology.producer(tensors.durations) === undefined || acoustic.size === 0 || vocoder.size === 0) {
    return { lost: "Speech can't be streamed: the graph can't be cut into stages." };
  }
  const encoder = new Set(graph.nodes.filter((node) => !acoustic.has(node) && !vocoder.has(node)));
  return assemble(graph, [
    ['encoder', encoder],
    ['acoustic', acoustic],
    ['vocoder', vocoder],
  ]);
}

/** What nodes of the vocoder take from elsewhere: the latent, and the speaker's vector where there are several. */
function vocoderInputs(graph: Graph, topology: Topology, latent: string): Set<string> {
  const isInside = (node: Node | undefined) => node?.name.startsWith(VOCODER) === true;
  const inside = graph.nodes.filter(isInside);
  const external = inside
    .flatMap(({ inputs }) => inputs)
    .filter((input) => {
      const producer = topology.producer(input);
      return producer !== undefined && !isInside(producer);
    });
  return new Set([latent, ...external]);
}

/** One graph per set of nodes; a tensor crosses to later ones by its name. */
function assemble(graph: Graph, parts: [string, ReadonlySet<Node>][]): Stage[] {
  const declared = new Map([...graph.values, ...graph.inputs].map((value) => [value.name, value]));
  const finals = graph.outputs.map(({ name }) => name);
  return parts.map(([name, members], index) => {
    const nodes = graph.nodes.filter((node) => members.has(node));
    const later = parts.slice(index + 1).flatMap(([, others]) => [...others]);
    const wanted = new Set([...finals, ...later.flatMap(({ inputs }) => inputs)]);
    const made = nodes.flatMap(({ outputs }) => outputs);
    return {
      name,
      graph: subgraph(
        graph,
        nodes,
        made.filter((output) => wanted.has(output)),
        declared,
      ),
    };
  });
}

function subgraph(graph: Graph, nodes: Node[], outputs: string[], declared: Map<string, ValueInfo>): Graph {
  const made = new Set(nodes.flatMap((node) => node.outputs));
  const used = new Set(nodes.flatMap((node) => node.inputs));
  const initializers = graph.initializers.filter(({ name }) => used.has(name));
  const constant = new Set(initializers.map(({ name }) => name));
  const inputs = [...used].filter((name) => name !== '' && !made.has(name) && !constant.has(name));
  const declare = (name: string): ValueInfo => {
    const type = declared.get(name)?.type?.tensor?.elementType;
    return graph.inputs.find((input) => input.name === name) ?? makeValueInfo(name, type ?? DataType.FLOAT);
  };
  return {
    ...graph,
    nodes,
    initializers,
    inputs: inputs.map(declare),
    outputs: outputs.map((name) =>
      makeValueInfo(name, declared.get(name)?.type?.tensor?.elementType ?? DataType.FLOAT),
    ),
    values: [],
  };
}
