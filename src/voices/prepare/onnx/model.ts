import { LantangError } from '../../../errors.js';
import { OWN_DOMAIN, RUNTIME_DOMAIN } from './domains.js';
import { decode, encode, type Message, type MessageTable } from './wire.js';

/*
 * The parts of an ONNX file that preparing a voice reads or changes. Field numbers are those of onnx/onnx.proto,
 * their meaning is in https://onnx.ai/onnx/repo-docs/IR.html; everything else in a file is carried along unread.
 */

export interface Model extends Message {
  graph: Graph;
  opsets: OperatorSet[];
}

export interface OperatorSet extends Message {
  /** Empty for ONNX's own operators. */
  domain: string;
  version: bigint;
}

export interface Graph extends Message {
  /** In topological order. */
  nodes: Node[];
  name: string;
  initializers: Tensor[];
  inputs: ValueInfo[];
  outputs: ValueInfo[];
  /** Types of tensors in between, where the exporter told them. */
  values: ValueInfo[];
}

export interface Node extends Message {
  /** Names of tensors; an empty name is an optional input left out. */
  inputs: string[];
  outputs: string[];
  name: string;
  operator: string;
  /** Empty for ONNX's own operators. */
  domain: string;
  attributes: Attribute[];
}

export interface Attribute extends Message {
  name: string;
  /** AttributeProto.AttributeType. */
  type: number;
  float?: number;
  int?: bigint;
  string?: Uint8Array;
  tensor?: Tensor;
  floats: number[];
  ints: bigint[];
}

export interface Tensor extends Message {
  dims: bigint[];
  /** TensorProto.DataType. */
  dataType: number;
  floats: number[];
  int32s: number[];
  int64s: bigint[];
  name: string;
  /** Little endian, row by row; where present, the lists of numbers are empty. */
  raw?: Uint8Array;
}

export interface ValueInfo extends Message {
  name: string;
  type?: Message & { tensor?: Message & { elementType?: number; shape?: Message & { dims: Dimension[] } } };
}

/** A fixed size, a size with a name, or neither. */
export interface Dimension extends Message {
  value?: bigint;
  parameter?: string;
}

export const AttributeType = { FLOAT: 1, INT: 2, STRING: 3, TENSOR: 4, FLOATS: 6, INTS: 7 } as const;
export const DataType = { FLOAT: 1, INT32: 6, INT64: 7, FLOAT16: 10 } as const;

const TENSOR: MessageTable = {
  dims: { number: 1, kind: 'int64', repeated: true },
  dataType: { number: 2, kind: 'int32', absent: 0 },
  floats: { number: 4, kind: 'float', repeated: true },
  int32s: { number: 5, kind: 'int32', repeated: true },
  int64s: { number: 7, kind: 'int64', repeated: true },
  name: { number: 8, kind: 'string', absent: '' },
  raw: { number: 9, kind: 'bytes' },
};

const ATTRIBUTE: MessageTable = {
  name: { number: 1, kind: 'string', absent: '' },
  float: { number: 2, kind: 'float' },
  int: { number: 3, kind: 'int64' },
  string: { number: 4, kind: 'bytes' },
  tensor: { number: 5, kind: TENSOR },
  floats: { number: 7, kind: 'float', repeated: true },
  ints: { number: 8, kind: 'int64', repeated: true },
  type: { number: 20, kind: 'int32', absent: 0 },
};

const NODE: MessageTable = {
  inputs: { number: 1, kind: 'string', repeated: true },
  outputs: { number: 2, kind: 'string', repeated: true },
  name: { number: 3, kind: 'string', absent: '' },
  operator: { number: 4, kind: 'string', absent: '' },
  attributes: { number: 5, kind: ATTRIBUTE, repeated: true },
  domain: { number: 7, kind: 'string', absent: '' },
};

const DIMENSION: MessageTable = {
  value: { number: 1, kind: 'int64' },
  parameter: { number: 2, kind: 'string' },
};
const SHAPE: MessageTable = { dims: { number: 1, kind: DIMENSION, repeated: true } };
const TENSOR_TYPE: MessageTable = {
  elementType: { number: 1, kind: 'int32' },
  shape: { number: 2, kind: SHAPE },
};
const VALUE_INFO: MessageTable = {
  name: { number: 1, kind: 'string', absent: '' },
  type: { number: 2, kind: { tensor: { number: 1, kind: TENSOR_TYPE } } },
};

const GRAPH: MessageTable = {
  nodes: { number: 1, kind: NODE, repeated: true },
  name: { number: 2, kind: 'string', absent: '' },
  initializers: { number: 5, kind: TENSOR, repeated: true },
  inputs: { number: 11, kind: VALUE_INFO, repeated: true },
  outputs: { number: 12, kind: VALUE_INFO, repeated: true },
  values: { number: 13, kind: VALUE_INFO, repeated: true },
};

const OPERATOR_SET: MessageTable = {
  domain: { number: 1, kind: 'string', absent: '' },
  version: { number: 2, kind: 'int64' },
};

const MODEL: MessageTable = {
  graph: { number: 7, kind: GRAPH },
  opsets: { number: 8, kind: OPERATOR_SET, repeated: true },
};

/** Throws `voice_invalid` where the bytes are no ONNX model. */
export function readModel(bytes: Uint8Array): Model {
  let model: Partial<Model>;
  try {
    model = decode(bytes, MODEL);
  } catch (cause) {
    throw new LantangError('voice_invalid', 'The .onnx file is damaged or is no ONNX model.', { cause });
  }
  if (!model.graph || model.graph.nodes.length === 0) {
    throw new LantangError('voice_invalid', 'The .onnx file holds no graph.');
  }
  return model as Model;
}

/** Tells of every domain of operators beside ONNX's own that the graph uses. */
export function writeModel(model: Model): Uint8Array {
  const used = new Set(model.graph.nodes.map(({ domain }) => domain));
  const told = new Set(model.opsets.map(({ domain }) => domain));
  const missing = [OWN_DOMAIN, RUNTIME_DOMAIN].filter((domain) => used.has(domain) && !told.has(domain));
  const opsets = [...model.opsets, ...missing.map((domain) => ({ domain, version: 1n }))];
  const complete: Model = { ...model, opsets };
  return encode(complete, MODEL);
}
