/*
 * Writes small ONNX graphs, so that the tests can have models that fail in a chosen way. Only what they need of
 * onnx.proto3 (github.com/onnx/onnx), by its field numbers; protobuf's encoding: protobuf.dev/programming-guides/encoding.
 */

export type ElementType = 'float' | 'int64';
type Dimension = number | string;

export interface TensorType {
  name: string;
  type: ElementType;
  shape: Dimension[];
}

export interface Node {
  /** As the runtime names it where it fails. */
  name?: string;
  op: string;
  inputs: string[];
  output: string;
  attributes?: Record<string, number | number[]>;
}

export interface Constant {
  name: string;
  type: ElementType;
  shape: number[];
  values: number[];
}

export interface Graph {
  inputs: TensorType[];
  outputs: TensorType[];
  nodes: Node[];
  constants?: Constant[];
}

const ELEMENT_TYPES = { float: 1, int64: 7 };
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;
const OPSET = 17;
const IR_VERSION = 8;

/** The bytes of a ModelProto. */
export function encodeModel(graph: Graph): Buffer {
  return message(
    integer(1, IR_VERSION),
    nested(7, encodeGraph(graph)),
    nested(8, message(integer(2, OPSET))),
  );
}

function encodeGraph(graph: Graph): Buffer {
  return message(
    ...graph.nodes.map((node) => nested(1, encodeNode(node))),
    text(2, 'test'),
    ...(graph.constants ?? []).map((constant) => nested(5, encodeConstant(constant))),
    ...graph.inputs.map((input) => nested(11, encodeType(input))),
    ...graph.outputs.map((output) => nested(12, encodeType(output))),
  );
}

function encodeNode(node: Node): Buffer {
  return message(
    ...node.inputs.map((input) => text(1, input)),
    text(2, node.output),
    ...(node.name === undefined ? [] : [text(3, node.name)]),
    text(4, node.op),
    ...Object.entries(node.attributes ?? {}).map(([name, value]) => nested(5, encodeAttribute(name, value))),
  );
}

function encodeAttribute(name: string, value: number | number[]): Buffer {
  return typeof value === 'number'
    ? message(text(1, name), integer(3, value), integer(20, ATTRIBUTE_INT))
    : message(text(1, name), ...value.map((each) => integer(8, each)), integer(20, ATTRIBUTE_INTS));
}

function encodeConstant({ name, type, shape, values }: Constant): Buffer {
  const array = type === 'float' ? Float32Array.from(values) : BigInt64Array.from(values, BigInt);
  const raw = Buffer.from(array.buffer);
  return message(
    ...shape.map((size) => integer(1, size)),
    integer(2, ELEMENT_TYPES[type]),
    text(8, name),
    nested(9, raw),
  );
}

function encodeType({ name, type, shape }: TensorType): Buffer {
  const dimensions = shape.map((size) =>
    nested(1, typeof size === 'number' ? integer(1, size) : text(2, size)),
  );
  const tensor = message(integer(1, ELEMENT_TYPES[type]), nested(2, message(...dimensions)));
  return message(text(1, name), nested(2, nested(1, tensor)));
}

function message(...fields: Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(BigInt(field << 3)), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function text(field: number, value: string): Buffer {
  return nested(field, Buffer.from(value));
}

function nested(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(content.length)), content]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
  bytes.push(Number(value));
  return Buffer.from(bytes);
}
