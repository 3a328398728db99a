import { makeInt, makeNode } from './onnx/build.js';
import { OWN_DOMAIN } from './onnx/domains.js';
import { DataType, type Graph, type Node, type Tensor } from './onnx/model.js';
import { floatsOf, Topology } from './onnx/topology.js';

/**
 * Operators whose results are no worse than their inputs when they are rounded to half precision. Others, sums over
 * time above all, as source-filter vocoders have for their phase, would drift.
 */
const SAFE = new Set([
  ...['Conv', 'ConvTranspose', 'LeakyRelu', 'Relu', 'Tanh', 'Sigmoid'],
  ...['Add', 'Sub', 'Mul', 'Div', 'Identity', 'FastGelu'],
  ...['Reshape', 'Transpose', 'Slice', 'Squeeze', 'Unsqueeze', 'Concat', 'Pad'],
]);

/**
 * A vocoder that computes in half precision (IEEE 754 binary16), with float32 at both its ends. Undefined where it has
 * operators that this would harm.
 *
 * The stages before it stay as they are: rounded durations would be other durations.
 */
export function inHalfPrecision(graph: Graph): Graph | undefined {
  if (!graph.nodes.every(({ operator, domain }) => domain !== OWN_DOMAIN && SAFE.has(operator)))
    return undefined;
  const topology = new Topology(graph);
  const inputs = graph.inputs.map(({ name }) => name);
  const outputs = graph.outputs.map(({ name }) => name);
  const ends = new Set([...inputs, ...outputs]);
  const named = (name: string) => (ends.has(name) ? `${name}/half` : name);
  const nodes = graph.nodes.map((node) => ({
    ...node,
    inputs: node.inputs.map(named),
    outputs: node.outputs.map(named),
  }));
  const used = graph.initializers.filter(({ name }) => topology.consumers(name).length > 0);
  return {
    ...graph,
    nodes: [
      ...inputs.map((name) => castTo(DataType.FLOAT16, name, named(name))),
      ...nodes,
      ...outputs.map((name) => castTo(DataType.FLOAT, named(name), name)),
    ],
    initializers: used.map(halved),
    // What they say of types is no longer true.
    values: [],
  };
}

function castTo(type: number, from: string, to: string): Node {
  return { ...makeNode('Cast', [from], to, [makeInt('to', type)]), name: `${to}/cast` };
}

/** Constants of float32 become half as long, all others stay. */
function halved(tensor: Tensor): Tensor {
  const values = floatsOf(tensor);
  if (!values) return tensor;
  const raw = new Uint8Array(Uint16Array.from(values, toHalf).buffer);
  return { ...tensor, dataType: DataType.FLOAT16, raw, floats: [] };
}

const LARGEST_HALF = 65_504;
const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The 16 bits of the nearest number in half precision, ties to even; what is larger than the largest becomes that. */
export function toHalf(value: number): number {
  float[0] = Math.min(LARGEST_HALF, Math.max(-LARGEST_HALF, value));
  const sign = (bits[0]! >>> 16) & 0x8000;
  const magnitude = Math.abs(float[0]);
  // Below 2^-14 halves are evenly spaced by 2^-24; there, and above, rounding may carry into the next exponent.
  if (magnitude < 2 ** -14) return sign | roundHalfToEven(magnitude * 2 ** 24);
  const exponent = Math.floor(Math.log2(magnitude));
  return sign | (((exponent + 15) << 10) + roundHalfToEven((magnitude / 2 ** exponent - 1) * 1024));
}

function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
