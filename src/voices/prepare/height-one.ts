import { makeInt64Vector, makeInts, makeNode } from './onnx/build.js';
import { AttributeType, type Attribute, type Graph, type Node, type Tensor } from './onnx/model.js';
import { elementsOf, integersOf, Topology } from './onnx/topology.js';

/** Operators that treat every element alike, whatever the shape. */
const ELEMENTWISE = new Set([
  'LeakyRelu',
  'Relu',
  'Tanh',
  'Sigmoid',
  'Exp',
  'Neg',
  'Add',
  'Sub',
  'Mul',
  'Div',
  'Erf',
]);
const CONVOLUTIONS = new Set(['Conv', 'ConvTranspose']);
const AXIS = 'lantang/height';

/**
 * Writes one-dimensional convolutions, [rows, channels, length], as two-dimensional ones of height 1,
 * [rows, channels, 1, length]: ONNX Runtime's fast CPU kernels (blocked layout) know only those.
 *
 * The extra axis is kept through everything that does not mind it, so that whole runs of operators, above all the
 * vocoder, have one Unsqueeze before and one Squeeze behind.
 */
export function convolveInHeightOne(graph: Graph): Graph {
  return new Lifting(graph).graph();
}

class Lifting {
  readonly #topology: Topology;
  readonly #nodes: Node[] = [];
  readonly #initializers: Map<string, Tensor>;
  /** Tensor → its name with the extra axis. */
  readonly #lifted = new Map<string, string>();
  /** Tensors that exist only with the extra axis so far. */
  readonly #liftedOnly = new Set<string>();

  constructor(private readonly source: Graph) {
    this.#topology = new Topology(source);
    this.#initializers = new Map(source.initializers.map((tensor) => [tensor.name, tensor]));
    this.#initializers.set(AXIS, makeInt64Vector(AXIS, [2]));
  }

  graph(): Graph {
    for (const node of this.source.nodes) this.#take(node);
    for (const { name } of this.source.outputs) this.#flat(name);
    const used = new Set(this.#nodes.flatMap(({ inputs }) => inputs));
    const initializers = [...this.#initializers.values()].filter(({ name }) => used.has(name));
    return { ...this.source, nodes: this.#nodes, initializers, values: [] };
  }

  #take(node: Node): void {
    if (this.#isConvolution(node)) this.#takeConvolution(node);
    else if (this.#canStayLifted(node)) this.#takeElementwise(node);
    else if (this.#isChannelSlice(node))
      this.#pushLifted(node, [this.#lift(node.inputs[0]!), ...node.inputs.slice(1)]);
    else this.#nodes.push({ ...node, inputs: node.inputs.map((name) => this.#flat(name)) });
  }

  #isConvolution(node: Node): boolean {
    const weights = this.#topology.constant(node.inputs[1] ?? '');
    return CONVOLUTIONS.has(node.operator) && weights !== undefined && weights.dims.length === 3;
  }

  #takeConvolution(node: Node): void {
    const [input, weights, ...bias] = node.inputs as [string, string, ...string[]];
    const attributes = node.attributes.map(withHeight);
    this.#pushLifted({ ...node, attributes }, [this.#lift(input), this.#weights(weights), ...bias]);
  }

  /** [outputs, inputs, kernel] → [outputs, inputs, 1, kernel]: other dimensions, the same bytes. */
  #weights(name: string): string {
    const lifted = `${name}/height_one`;
    const tensor = this.#topology.constant(name)!;
    const [first, second, kernel] = tensor.dims as [bigint, bigint, bigint];
    this.#initializers.set(lifted, { ...tensor, name: lifted, dims: [first, second, 1n, kernel] });
    return lifted;
  }

  /** At least one input has the axis already, and the others have it, can get it, or are single numbers. */
  #canStayLifted({ operator, inputs }: Node): boolean {
    if (!ELEMENTWISE.has(operator) || !inputs.some((name) => this.#lifted.has(name))) return false;
    return inputs.every((name) => {
      const constant = this.#topology.constant(name);
      return constant === undefined || elementsOf(constant) === 1;
    });
  }

  #takeElementwise(node: Node): void {
    const inputs = node.inputs.map((name) => (this.#topology.constant(name) ? name : this.#lift(name)));
    this.#pushLifted(node, inputs);
  }

  /** A Slice along the channels only: their axis is where it was. */
  #isChannelSlice({ operator, inputs }: Node): boolean {
    if (operator !== 'Slice' || !this.#lifted.has(inputs[0]!)) return false;
    const axes = integersOf(this.#topology.constant(inputs[3] ?? ''));
    return axes?.length === 1 && axes[0] === 1;
  }

  #pushLifted(node: Node, inputs: string[]): void {
    const output = node.outputs[0]!;
    const lifted = `${output}/height_one`;
    this.#nodes.push({ ...node, inputs, outputs: [lifted] });
    this.#lifted.set(output, lifted);
    this.#liftedOnly.add(output);
  }

  #lift(name: string): string {
    const known = this.#lifted.get(name);
    if (known !== undefined) return known;
    const lifted = `${name}/height_one`;
    this.#nodes.push(makeNode('Unsqueeze', [name, AXIS], lifted));
    this.#lifted.set(name, lifted);
    return lifted;
  }

  #flat(name: string): string {
    if (this.#liftedOnly.delete(name)) {
      this.#nodes.push(makeNode('Squeeze', [this.#lifted.get(name)!, AXIS], name));
    }
    return name;
  }
}

/** Values per spatial axis get one for the height: kernel 1, stride 1, no padding. */
function withHeight(attribute: Attribute): Attribute {
  if (attribute.type !== AttributeType.INTS) return attribute;
  const values = attribute.ints.map(Number);
  switch (attribute.name) {
    case 'kernel_shape':
    case 'strides':
    case 'dilations':
      return makeInts(attribute.name, [1, ...values]);
    case 'pads':
      return makeInts(attribute.name, [0, values[0]!, 0, values[1]!]);
    case 'output_padding':
    case 'output_shape':
      return makeInts(attribute.name, [0, ...values]);
    default:
      return attribute;
  }
}
