import {
  AttributeType,
  DataType,
  type Attribute,
  type Dimension,
  type Node,
  type Tensor,
  type ValueInfo,
} from './model.js';

/** A node of ONNX's own operators, with one output, which also names it. */
export function makeNode(
  operator: string,
  inputs: string[],
  output: string,
  attributes: Attribute[] = [],
): Node {
  return { operator, inputs, outputs: [output], name: output, domain: '', attributes };
}

export function makeInt(name: string, value: number): Attribute {
  return { name, type: AttributeType.INT, int: BigInt(value), floats: [], ints: [] };
}

export function makeFloat(name: string, value: number): Attribute {
  return { name, type: AttributeType.FLOAT, float: value, floats: [], ints: [] };
}

export function makeInts(name: string, values: number[]): Attribute {
  return { name, type: AttributeType.INTS, ints: values.map(BigInt), floats: [] };
}

export function makeFloatList(name: string, values: number[]): Attribute {
  return { name, type: AttributeType.FLOATS, floats: values, ints: [] };
}

/** A constant vector of int64. */
export function makeInt64Vector(name: string, values: number[]): Tensor {
  const raw = new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer);
  return { name, dims: [BigInt(values.length)], dataType: DataType.INT64, raw, ...NO_LISTS };
}

/** A constant of float32; `dims` empty is a scalar. */
export function makeFloats(name: string, dims: number[], values: Float32Array): Tensor {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { name, dims: dims.map(BigInt), dataType: DataType.FLOAT, raw, ...NO_LISTS };
}

const NO_LISTS = { floats: [], int32s: [], int64s: [] };

/** The declaration of a graph's input or output; a size is a number or a name; without a shape any rank will do. */
export function makeValueInfo(name: string, elementType: number, shape?: (number | string)[]): ValueInfo {
  const dims = shape?.map((size): Dimension =>
    typeof size === 'number' ? { value: BigInt(size) } : { parameter: size },
  );
  return { name, type: { tensor: { elementType, ...(dims ? { shape: { dims } } : {}) } } };
}
