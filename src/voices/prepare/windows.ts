import { findChains, type Chain, type ChainStep } from './chains.js';
import { makeFloats, makeFloatList, makeInt, makeInts, makeNode } from './onnx/build.js';
import { OWN_DOMAIN } from './onnx/domains.js';
import type { Graph, Node, Tensor } from './onnx/model.js';

/** Samples that are made at a time: of as many as 128 channels half a megabyte, of 32 an eighth. */
const WINDOW = 1008;

/** A filter of fewer taps, or between fewer channels, gains less than turning the channels last and back costs. */
const WIDE = { taps: 3, channels: 128 };

/**
 * Writes chains of convolutions in height one as operators of our own for CPUs (native/convolution/operator.h): they
 * make half the products and less, and keep what passes between convolutions in the cache. A chain is parted before
 * each upsampling, for behind it are so many more samples. The very same graph where none is worth it.
 */
export function convolveInWindows(graph: Graph): Graph {
  return findChains(graph).filter(isWorthwhile).reduce(writeChain, graph);
}

function isWorthwhile({ steps }: Chain): boolean {
  return steps.some(({ phases, dims: [outputs, inputs, , taps] }) => {
    const isWide = taps >= WIDE.taps && Math.min(outputs, inputs) >= WIDE.channels;
    return phases > 1 || isWide;
  });
}

function writeChain(graph: Graph, chain: Chain): Graph {
  const replaced = new Set(chain.nodes);
  const last = chain.nodes.at(-1)!;
  const { nodes, initializers } = operatorsOf(chain);
  const rest = graph.nodes.flatMap((node) => (node === last ? nodes : replaced.has(node) ? [] : [node]));
  const used = new Set(rest.flatMap(({ inputs }) => inputs));
  const freed = new Set(chain.nodes.flatMap(({ inputs }) => inputs).filter((name) => !used.has(name)));
  const kept = graph.initializers.filter(({ name }) => !freed.has(name));
  return { ...graph, nodes: rest, initializers: [...kept, ...initializers] };
}

/** Channels come last in between. */
function operatorsOf({ input, output, steps }: Chain): { nodes: Node[]; initializers: Tensor[] } {
  const parts = partedAtUpsamplings(steps);
  const names = parts.map((_, index) => `${output}/windows_${index}`);
  const operators = parts.map((part, index) =>
    operatorOf(part, names[index - 1] ?? `${output}/channels_last`, names[index]!),
  );
  const before = makeNode('Transpose', [input], `${output}/channels_last`, [makeInts('perm', [0, 2, 3, 1])]);
  const behind = makeNode('Transpose', [names.at(-1)!], output, [makeInts('perm', [0, 3, 1, 2])]);
  const nodes = [before, ...operators.map(({ node }) => node), behind];
  return { nodes, initializers: operators.flatMap((operator) => operator.initializers) };
}

/** Before each upsampling of what the step before it made, where later steps need nothing else from before. */
function partedAtUpsamplings(steps: ChainStep[]): ChainStep[][] {
  const border = steps.findLastIndex((step, index) => {
    const needsNothingElse = ({ source, addends }: ChainStep) =>
      source >= index && addends.every((addend) => addend > index);
    return index > 0 && step.phases > 1 && steps.slice(index).every(needsNothingElse);
  });
  if (border < 0) return [steps];
  const moved = (tensor: number) => tensor - border;
  const behind = steps.slice(border).map((step) => ({
    ...step,
    source: moved(step.source),
    addends: step.addends.map(moved),
  }));
  return [...partedAtUpsamplings(steps.slice(0, border)), behind];
}

function operatorOf(steps: ChainStep[], input: string, output: string) {
  const initializers: Tensor[] = [];
  const addInput = (part: string, dims: number[], values: Float32Array): number => {
    initializers.push(makeFloats(`${output}/${part}`, dims, values));
    return initializers.length;
  };
  const numbers = steps.flatMap((step, index) => {
    const weights = addInput(`weights_${index}`, step.dims, step.filter);
    const bias = step.bias ? addInput(`bias_${index}`, [step.bias.length], step.bias) : 0;
    const [first = 0, second = 0] = step.addends;
    return [weights, bias, step.source, step.dilation, step.padding, step.phases, step.cut, first, second];
  });
  const attributes = [
    makeInts('steps', numbers),
    makeFloatList(
      'slopes',
      steps.map(({ slope }) => slope),
    ),
    makeInt('window', WINDOW),
  ];
  const inputs = [input, ...initializers.map(({ name }) => name)];
  return {
    node: { ...makeNode('WindowedConvolutions', inputs, output, attributes), domain: OWN_DOMAIN },
    initializers,
  };
}
