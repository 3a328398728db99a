import { floatOf } from './onnx/attributes.js';
import type { Graph, Node } from './onnx/model.js';
import { floatsOf, numberOf, Topology } from './onnx/topology.js';
import { phasesOf } from './phases.js';
import { plainConvolution } from './plain-convolution.js';

/** A convolution as native/convolution/chain.h has it. Tensor 0 is the chain's input, i + 1 what step i makes. */
export interface ChainStep {
  /** [channels out, channels in, 1, taps], row by row. */
  filter: Float32Array;
  dims: [number, number, number, number];
  /** One for each channel out. */
  bias: Float32Array | undefined;
  source: number;
  /** What is negative in the source counts for that much: 0 is Relu, 1 nothing. */
  slope: number;
  dilation: number;
  /** Zeros before the source. */
  padding: number;
  /** Samples that each of the source becomes: so many groups of channels out are as many neighbours. */
  phases: number;
  /** Samples left out at the begin of the result. */
  cut: number;
  /** Tensors that are added to the result. */
  addends: number[];
}

/** Convolutions that need only each other's results, from one tensor to another. */
export interface Chain {
  /** Tensors in height one, [rows, channels, 1, length]. */
  input: string;
  output: string;
  steps: ChainStep[];
  /** What it stands for. */
  nodes: Node[];
}

/** Channels that the kernels make at once, kChannelBlock of native/convolution/kernels.h: all come in multiples. */
const BLOCK = 16;

/**
 * The chains in a graph in height one: convolutions, transposed ones, rectifiers, sums, and quotients
 * by constants, which is what vocoders of the kind of HiFi-GAN are made of (Kong et al., 2020).
 */
export function findChains(graph: Graph): Chain[] {
  const topology = new Topology(graph);
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  const chains: Chain[] = [];
  let reader: ChainReader | undefined;
  for (const node of graph.nodes) {
    reader ??= ChainReader.beginningWith(node, topology, outputs);
    if (!reader || reader.take(node) || !reader.isUsedBy(node)) continue;
    chains.push(...reader.chain());
    reader = ChainReader.beginningWith(node, topology, outputs);
    reader?.take(node);
  }
  chains.push(...(reader?.chain() ?? []));
  return chains;
}

/** What a name stands for: `scale · a tensor of the chain`, activated. */
interface View {
  tensor: number;
  scale: number;
  slope: number;
}

function isPlain({ scale, slope }: View): boolean {
  return scale === 1 && slope === 1;
}

interface Shape {
  channels: number;
  /** Samples for each of the chain's input. */
  rate: number;
}

const MOST_ADDENDS = 2;

class ChainReader {
  readonly #steps: ChainStep[] = [];
  readonly #nodes: Node[] = [];
  readonly #views = new Map<string, View>();
  readonly #shapes: Shape[];

  private constructor(
    private readonly input: string,
    channels: number,
    private readonly topology: Topology,
    private readonly outputs: ReadonlySet<string>,
  ) {
    this.#views.set(input, { tensor: 0, scale: 1, slope: 1 });
    this.#shapes = [{ channels, rate: 1 }];
  }

  /** Undefined where the node is no convolution, with which every chain begins. */
  static beginningWith(
    node: Node,
    topology: Topology,
    outputs: ReadonlySet<string>,
  ): ChainReader | undefined {
    const convolution = convolutionOf(node, topology);
    return convolution && new ChainReader(node.inputs[0]!, convolution.dims[1], topology, outputs);
  }

  isUsedBy({ inputs }: Node): boolean {
    return inputs.some((name) => this.#views.has(name));
  }

  /** False where the node does not belong into the chain. */
  take(node: Node): boolean {
    const isTaken = this.#takeConvolution(node) || this.#takeElementwise(node);
    if (isTaken) this.#nodes.push(node);
    return isTaken;
  }

  #takeConvolution(node: Node): boolean {
    const view = this.#views.get(node.inputs[0]!);
    const convolution = convolutionOf(node, this.topology);
    if (!view || !convolution) return false;
    const { channels, rate } = this.#shapes[view.tensor]!;
    const { phases } = convolution;
    const [outputs, inputs] = convolution.dims;
    if (inputs !== channels || (phases > 1 && outputs % BLOCK !== 0)) return false;
    const filter = view.scale === 1 ? convolution.filter : convolution.filter.map((tap) => tap * view.scale);
    this.#steps.push({ ...convolution, filter, source: view.tensor, slope: view.slope, addends: [] });
    this.#shapes.push({ channels: outputs / phases, rate: rate * phases });
    this.#views.set(node.outputs[0]!, { tensor: this.#steps.length, scale: 1, slope: 1 });
    return true;
  }

  #takeElementwise(node: Node): boolean {
    const view = this.#elementwise(node);
    if (view) this.#views.set(node.outputs[0]!, view);
    return view !== undefined;
  }

  #elementwise(node: Node): View | undefined {
    const [first, second] = node.inputs.map((name) => this.#views.get(name));
    if (node.operator === 'Add') return first && second ? this.#sum(node, first, second) : undefined;
    if (!first || first.slope !== 1) return undefined;
    if (node.operator === 'Relu') return { ...first, slope: 0 };
    if (node.operator === 'LeakyRelu') {
      const slope = floatOf(node, 'alpha', 0.01);
      return slope >= 0 && slope < 1 ? { ...first, slope } : undefined;
    }
    const divisor = node.operator === 'Div' ? numberOf(this.topology.constant(node.inputs[1]!)) : undefined;
    return divisor !== undefined && divisor > 0 ? { ...first, scale: first.scale / divisor } : undefined;
  }

  /** The later one's step adds the earlier one to what it makes. */
  #sum(node: Node, first: View, second: View): View | undefined {
    const [earlier, later] = [first, second].sort((one, other) => one.tensor - other.tensor) as [View, View];
    const laterName = node.inputs[first === later ? 0 : 1]!;
    const step = this.#steps[later.tensor - 1];
    const areSums = [first, second].every(isPlain);
    const [shape, other] = [this.#shapes[later.tensor]!, this.#shapes[earlier.tensor]!];
    const fit = shape.channels === other.channels && shape.rate === other.rate;
    const isFree = step && step.addends.length < MOST_ADDENDS && this.#isOnlyFor(node, laterName);
    if (!areSums || !fit || !isFree || earlier.tensor === 0 || earlier.tensor === later.tensor)
      return undefined;
    step.addends.push(earlier.tensor);
    this.#views.delete(laterName);
    return later;
  }

  /** Nothing but the node will ever see what the tensor was without the sum. */
  #isOnlyFor(node: Node, name: string): boolean {
    const { tensor } = this.#views.get(name)!;
    const names = [...this.#views.values()].filter((view) => view.tensor === tensor);
    const consumers = this.topology.consumers(name);
    return names.length === 1 && consumers.length === 1 && consumers[0] === node && !this.outputs.has(name);
  }

  /** Nothing where others use what is inside, too. */
  chain(): Chain[] {
    const nodes = this.#nodesToLastSum();
    const own = new Set(nodes);
    const isUsedOutside = (name: string) =>
      this.outputs.has(name) || this.topology.consumers(name).some((node) => !own.has(node));
    const given = nodes.map(({ outputs: [name] }) => name!).filter(isUsedOutside);
    const [output] = given;
    const view = output === undefined ? undefined : this.#views.get(output);
    const isResult = view && isPlain(view) && view.tensor === this.#steps.length;
    if (given.length !== 1 || !isResult || this.#isNarrowInside()) return [];
    return [{ input: this.input, output: output!, steps: this.#steps, nodes }];
  }

  /** What only scales or rectifies the result, for whoever takes it, is not part of the chain. */
  #nodesToLastSum(): Node[] {
    const isSum = ({ outputs: [name] }: Node) => {
      const view = this.#views.get(name!);
      return view === undefined || isPlain(view);
    };
    return this.#nodes.slice(0, this.#nodes.findLastIndex(isSum) + 1);
  }

  /** Only the last step may make channels that fill no block. */
  #isNarrowInside(): boolean {
    return this.#shapes.some(({ channels }, tensor) => channels % BLOCK !== 0 && tensor < this.#steps.length);
  }
}

/** A convolution, or a transposed one as a convolution in phases; undefined where it is neither, or of another kind. */
function convolutionOf(node: Node, topology: Topology) {
  const found = node.operator === 'ConvTranspose' ? phasesOf(node, topology) : filterOf(node, topology);
  if (!found) return undefined;
  const bias = node.inputs[2] ? floatsOf(topology.constant(node.inputs[2])) : undefined;
  if (node.inputs[2] && !bias) return undefined;
  const { phases } = found;
  const repeated =
    bias && Float32Array.from({ length: phases * bias.length }, (_, i) => bias[i % bias.length]!);
  return { ...found, bias: repeated };
}

/** One that keeps the length. */
function filterOf(node: Node, topology: Topology) {
  const convolution = node.operator === 'Conv' ? plainConvolution(node, topology) : undefined;
  if (!convolution) return undefined;
  const { filter, dims, stride, dilation, padding } = convolution;
  const keepsLength = stride === 1 && padding[0] + padding[1] === (dims[3] - 1) * dilation;
  return keepsLength ? { filter, dims, dilation, padding: padding[0], phases: 1, cut: 0 } : undefined;
}
