import { BLOCK } from './blocked-activations.js';
import { makeFloats, makeInt, makeInt64Vector, makeInts, makeNode } from './onnx/build.js';
import type { Graph, Node, Tensor } from './onnx/model.js';
import { replaceNodes, type Replacement } from './onnx/replace.js';
import { floatsOf, type Topology } from './onnx/topology.js';
import { plainConvolution, type PlainConvolution } from './plain-convolution.js';

/*
 * Convolutions with fewer products, by the algorithm of Toom and Cook (Lavin and Gray, "Fast algorithms for
 * convolutional neural networks", 2015, whose F(m, r) this is in one dimension): m neighbouring outputs of a filter of r
 * taps are an interpolation through m + r − 1 points, so they take m + r − 1 products instead of m · r. On CPUs, where
 * convolutions run as fast as the processor multiplies, nothing but fewer products makes them faster.
 */

/** Outputs of a tile. */
const TILE = 4;

/** Where the polynomials are evaluated, beside infinity: small, and close to 1, so that roundings stay small too. */
const POINTS = [0, 1, -1, 2, -2, 0.5, -0.5];

/** Taps for which the points suffice, and for which it was measured to win. */
const TAPS = new Set([3, 5]);

/** With fewer channels, in or out, making and joining tiles costs more than the products that are saved. */
const LEAST_CHANNELS = 128;

/**
 * Rewrites large convolutions in height one, [rows, channels, 1, length]. Every point's share of the tiles is cut out
 * by a depthwise convolution; one convolution in groups, a group a point, makes all products; a small matrix joins them.
 */
export function convolveByToomCook(graph: Graph): Graph {
  return replaceNodes(graph, (node, topology) =>
    node.operator === 'Conv' ? byToomCook(node, topology) : undefined,
  );
}

function byToomCook(node: Node, topology: Topology): Replacement | undefined {
  const convolution = plainConvolution(node, topology);
  const bias = node.inputs[2] ? floatsOf(topology.constant(node.inputs[2])) : new Float32Array(0);
  if (!convolution || !bias || !isWorthwhile(convolution)) return undefined;
  const { products, shares, join } = toomCook(convolution.dims[3]);
  const cut = cutTiles(node, convolution, shares);
  const multiplied = multiply(node, convolution, { cut: cut.output, products, bias });
  const joined = joinTiles(node, convolution, join);
  return {
    nodes: [...cut.nodes, ...multiplied.nodes, ...joined.nodes],
    initializers: [...cut.initializers, ...multiplied.initializers, ...joined.initializers],
  };
}

function isWorthwhile({
  dims: [outputs, inputs, height, taps],
  stride,
  dilation,
}: PlainConvolution): boolean {
  const isWide = [outputs, inputs].every((count) => count >= LEAST_CHANNELS && count % BLOCK === 0);
  return isWide && height === 1 && TAPS.has(taps) && stride === 1 && dilation === 1;
}

interface Transforms {
  /** points × taps: a filter's value at each point. */
  products: number[][];
  /** points × (points): the share of a tile's inputs at each point. */
  shares: number[][];
  /** outputs × points. */
  join: number[][];
}

/** y[k] = Σ_j x[k + j] · w[j] is `join · ((products · w) ⊙ (shares · x))`; the last point is infinity. */
export function toomCook(taps: number): Transforms {
  const count = TILE + taps - 1;
  const points = POINTS.slice(0, count - 1);
  const others = (at: number) => points.filter((_, index) => index !== at);
  const powers = (point: number, length: number) => Array.from({ length }, (_, power) => point ** power);
  const atInfinity = (length: number) => Array.from({ length }, (_, power) => (power === length - 1 ? 1 : 0));
  return {
    products: [
      ...points.map((point, at) => {
        const scale = others(at).reduce((product, other) => product * (point - other), 1);
        return powers(point, taps).map((power) => power / scale);
      }),
      atInfinity(taps),
    ],
    shares: [...points.map((_, at) => [...polynomialWith(others(at)), 0]), polynomialWith(points)],
    join: Array.from({ length: TILE }, (_, output) => [
      ...points.map((point) => point ** output),
      output === TILE - 1 ? 1 : 0,
    ]),
  };
}

/** Coefficients, the constant one first, of the polynomial with these roots. */
function polynomialWith(roots: number[]): number[] {
  return roots.reduce(
    (polynomial, root) => [0, ...polynomial].map((term, power) => term - root * (polynomial[power] ?? 0)),
    [1],
  );
}

/** [rows, points · channels, 1, tiles]. */
function cutTiles(node: Node, { dims, padding }: PlainConvolution, shares: number[][]) {
  const [, channels] = dims;
  const width = shares.length;
  const attributes = [
    makeInt('group', channels),
    makeInts('kernel_shape', [1, width]),
    makeInts('strides', [1, TILE]),
    // Behind, so much more that the last tile is whole.
    makeInts('pads', [0, padding[0], 0, padding[1] + TILE - 1]),
  ];
  const weights = shares.map((share, point) => {
    const name = `lantang/tiles_${channels}_${width}_${point}`;
    const repeated = Float32Array.from({ length: channels * width }, (_, index) => share[index % width]!);
    return makeFloats(name, [channels, 1, 1, width], repeated);
  });
  const outputs = weights.map((_, point) => named(node, `tiles_${point}`));
  const nodes = weights.map(({ name }, point) =>
    makeNode('Conv', [node.inputs[0]!, name], outputs[point]!, attributes),
  );
  const output = named(node, 'tiles');
  return {
    nodes: [...nodes, makeNode('Concat', outputs, output, [makeInt('axis', 1)])],
    initializers: weights,
    output,
  };
}

/** [rows, points · channels out, 1, tiles]. */
function multiply(
  node: Node,
  { dims: [outputs, inputs, , taps], filter }: PlainConvolution,
  { cut, products, bias }: { cut: string; products: number[][]; bias: Float32Array },
) {
  const points = products.length;
  const weights = new Float32Array(points * outputs * inputs);
  for (let point = 0, at = 0; point < points; point++) {
    for (let pair = 0; pair < outputs * inputs; pair++) {
      let value = 0;
      for (let tap = 0; tap < taps; tap++) value += products[point]![tap]! * filter[pair * taps + tap]!;
      weights[at++] = value;
    }
  }
  // All outputs of a tile take what is at the point 1 once: that is where the bias goes.
  const biases = new Float32Array(points * outputs);
  biases.set(bias, POINTS.indexOf(1) * outputs);
  const initializers = [
    makeFloats(named(node, 'products'), [points * outputs, inputs, 1, 1], weights),
    makeFloats(named(node, 'bias'), [points * outputs], biases),
  ];
  const attributes = [makeInt('group', points), makeInts('kernel_shape', [1, 1])];
  const names = initializers.map(({ name }) => name);
  const conv = makeNode('Conv', [cut, ...names], named(node, 'multiplied'), attributes);
  return { nodes: [conv], initializers };
}

/** [rows, channels out, 1, length], as the convolution gave it. */
function joinTiles(node: Node, { dims, padding }: PlainConvolution, join: number[][]) {
  const [outputs, , , taps] = dims;
  const constants = {
    byPoint: makeInt64Vector(named(node, 'by_point'), [0, join[0]!.length, -1]),
    matrix: makeFloats('lantang/join_' + taps, [TILE, join[0]!.length], Float32Array.from(join.flat())),
    byOutput: makeInt64Vector(named(node, 'by_output'), [0, TILE, outputs, -1]),
    inRow: makeInt64Vector(named(node, 'in_row'), [0, outputs, 1, -1]),
    first: makeInt64Vector('lantang/first', [0]),
    lengthAxis: makeInt64Vector('lantang/length_axis', [3]),
    longer: makeInt64Vector(named(node, 'longer'), [padding[0] + padding[1] - taps + 1]),
  };
  const step = (operator: string, inputs: string[], part: string, attributes: Node['attributes'] = []) =>
    makeNode(operator, inputs, part === '' ? node.outputs[0]! : named(node, part), attributes);
  const { byPoint, matrix, byOutput, inRow, first, lengthAxis, longer } = constants;
  const nodes = [
    step('Reshape', [named(node, 'multiplied'), byPoint.name], 'points'),
    step('MatMul', [matrix.name, named(node, 'points')], 'joined'),
    step('Reshape', [named(node, 'joined'), byOutput.name], 'outputs'),
    step('Transpose', [named(node, 'outputs')], 'last', [makeInts('perm', [0, 2, 3, 1])]),
    step('Reshape', [named(node, 'last'), inRow.name], 'whole'),
    step('Shape', [node.inputs[0]!], 'shape'),
    step('Gather', [named(node, 'shape'), lengthAxis.name], 'length'),
    step('Add', [named(node, 'length'), longer.name], 'end'),
    step('Slice', [named(node, 'whole'), first.name, named(node, 'end'), lengthAxis.name], ''),
  ];
  return { nodes, initializers: Object.values(constants) satisfies Tensor[] };
}

function named(node: Node, part: string): string {
  return `${node.outputs[0]}/${part}`;
}
