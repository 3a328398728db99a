import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  makeFloats,
  makeInt,
  makeInt64Vector,
  makeInts,
  makeNode,
  makeValueInfo,
} from '../../../src/voices/prepare/onnx/build.js';
import {
  AttributeType,
  DataType,
  writeModel,
  type Attribute,
  type Graph,
  type Node,
  type Tensor,
} from '../../../src/voices/prepare/onnx/model.js';

/*
 * A voice with everything that preparing looks for in VITS, by its names, and a few thousand random weights: tables,
 * masks, spelled-out layer norms, both noises, durations from a Ceil, the path from ids to frames, and a vocoder with
 * transposed convolutions and dilated residual blocks. It says nothing that a person would understand.
 */

const CHANNELS = 16;
const WIDE = 32;
export const TOY_SYMBOLS = 40;
export const TOY_HOP = 16;

/** Collects nodes; each method gives the name of its output. */
class Builder {
  readonly nodes: Node[] = [];
  readonly initializers: Tensor[] = [];
  #count = 0;

  op(
    operator: string,
    inputs: string[],
    attributes: Attribute[] = [],
    name = `${operator}_${this.#count++}`,
  ): string {
    this.nodes.push({ ...makeNode(operator, inputs, `${name}_output_0`, attributes), name });
    return `${name}_output_0`;
  }

  ints(...values: number[]): string {
    const tensor = makeInt64Vector(`ints_${this.#count++}`, values);
    this.initializers.push(tensor);
    return tensor.name;
  }

  /** A single number: int64 or float32 without dimensions. */
  int(value: number): string {
    const tensor = { ...makeInt64Vector(`int_${this.#count++}`, [value]), dims: [] };
    this.initializers.push(tensor);
    return tensor.name;
  }

  float(value: number): string {
    return this.#push([], Float32Array.of(value));
  }

  /** Numbers in ±size that look random and are the same every time. */
  weights(size: number, ...dims: number[]): string {
    const count = dims.reduce((product, dim) => product * dim, 1);
    const seed = ++this.#count;
    return this.#push(
      dims,
      Float32Array.from({ length: count }, (_, i) => size * Math.sin(12.9898 * i * seed + seed)),
    );
  }

  conv(
    name: string,
    input: string,
    [from, to, kernel]: [number, number, number],
    dilation = 1,
    bias = true,
  ): string {
    const size = 1 / Math.sqrt(from * kernel);
    const inputs = [input, this.weights(size, to, from, kernel), ...(bias ? [this.weights(0.1, to)] : [])];
    const pad = ((kernel - 1) / 2) * dilation;
    const attributes = [
      makeInts('pads', [pad, pad]),
      makeInts('dilations', [dilation]),
      makeInts('kernel_shape', [kernel]),
    ];
    return this.op('Conv', inputs, attributes, name);
  }

  upsample(name: string, input: string, [from, to]: [number, number]): string {
    const inputs = [input, this.weights(0.2, from, to, 8), this.weights(0.1, to)];
    return this.op('ConvTranspose', inputs, [makeInts('strides', [4]), makeInts('pads', [2, 2])], name);
  }

  leaky(name: string, input: string): string {
    return this.op(
      'LeakyRelu',
      [input],
      [{ name: 'alpha', type: AttributeType.FLOAT, float: 0.1, floats: [], ints: [] }],
      name,
    );
  }

  #push(dims: number[], values: Float32Array): string {
    const tensor = makeFloats(`floats_${this.#count++}`, dims, values);
    this.initializers.push(tensor);
    return tensor.name;
  }
}

const TO_FLOAT = [makeInt('to', DataType.FLOAT)];
const KEEP = [makeInt('keepdims', 1)];
const SWAP = [makeInts('perm', [0, 2, 1])];

export interface ToyChanges {
  /** What the noise generators are told besides. */
  noise?: Attribute[];
  /** The modules' name of the vocoder. */
  vocoder?: string;
  /** The duration predictor fails where its noise is 1 or more. */
  fragile?: boolean;
}

/** The graph as an exporter of VITS would publish it. */
export function toyGraph({ noise = [], vocoder = 'dec', fragile = false }: ToyChanges = {}): Graph {
  const b = new Builder();
  const scale = (index: number) => b.op('Gather', ['scales', b.int(index)]);
  const text = encode(b);
  const noiseW = fragile ? onlyBelowOne(b, scale(2)) : scale(2);
  const durations = predictDurations(b, text, { noise, noiseW, length: scale(1) });
  const latent = expand(b, text, durations, { noise, noiseScale: scale(0) });
  const audio = decode(b, latent, `/${vocoder}`);
  b.nodes.push(makeNode('Unsqueeze', [audio, b.ints(1)], 'output'));
  return {
    name: 'toy',
    nodes: b.nodes,
    initializers: b.initializers,
    inputs: [
      makeValueInfo('input', DataType.INT64, ['rows', 'ids']),
      makeValueInfo('input_lengths', DataType.INT64, ['rows']),
      makeValueInfo('scales', DataType.FLOAT, [3]),
    ],
    outputs: [makeValueInfo('output', DataType.FLOAT, ['rows', 1, 1, 'samples'])],
    values: [],
  };
}

interface Encoded {
  hidden: string;
  /** float32 [rows, 1, ids] */
  mask: string;
}

function encode(b: Builder): Encoded {
  const mask = maskOf(b, b.op('Gather', [b.op('Shape', ['input']), b.int(1)]), 'input_lengths');
  const table = b.weights(1, TOY_SYMBOLS, CHANNELS);
  const embedded = b.op('Gather', [table, 'input'], [], '/enc_p/emb/Gather');
  const hidden = b.op('Mul', [b.op('Transpose', [layerNorm(b, embedded)], SWAP), mask]);
  const convolved = b.op('Relu', [b.conv('/enc_p/conv', hidden, [CHANNELS, CHANNELS, 3])]);
  return { hidden: b.op('Mul', [convolved, mask]), mask };
}

/** float32 [rows, 1, length]: 1 up to each row's own count. */
function maskOf(b: Builder, length: string, counts: string): string {
  const steps = b.op('Unsqueeze', [b.op('Range', [b.int(0), length, b.int(1)]), b.ints(0)]);
  const inside = b.op('Less', [steps, b.op('Unsqueeze', [counts, b.ints(1)])]);
  return b.op('Unsqueeze', [b.op('Cast', [inside], TO_FLOAT), b.ints(1)]);
}

function layerNorm(b: Builder, input: string): string {
  const last = [makeInts('axes', [-1]), ...KEEP];
  const centred = b.op('Sub', [input, b.op('ReduceMean', [input], last)]);
  const variance = b.op('ReduceMean', [b.op('Pow', [centred, b.float(2)])], last);
  const deviation = b.op('Sqrt', [b.op('Add', [variance, b.float(1e-5)])]);
  const scaled = b.op('Mul', [b.op('Div', [centred, deviation]), b.weights(1, CHANNELS)]);
  return b.op('Add', [scaled, b.weights(0.1, CHANNELS)]);
}

/** A number as it is; from 1 on, it picks an element that is not there. */
function onlyBelowOne(b: Builder, number: string): string {
  const index = b.op('Cast', [number], [makeInt('to', DataType.INT64)]);
  return b.op('Add', [number, b.op('Gather', [b.weights(0, 1), index])]);
}

/** float32 [rows, 1, ids], whole numbers */
function predictDurations(
  b: Builder,
  { hidden, mask }: Encoded,
  { noise, noiseW, length }: { noise: Attribute[]; noiseW: string; length: string },
): string {
  const shape = b.op('Shape', ['input']);
  const rows = b.op('Slice', [shape, b.ints(0), b.ints(1)]);
  const ids = b.op('Slice', [shape, b.ints(1), b.ints(2)]);
  const zeros = b.op('ConstantOfShape', [b.op('Concat', [rows, b.ints(2), ids], [makeInt('axis', 0)])]);
  const random = b.op('Mul', [b.op('RandomNormalLike', [zeros], noise, '/dp/RandomNormalLike'), noiseW]);
  const chance = b.op('ReduceSum', [random, b.ints(1)], KEEP);
  const logarithm = b.op('Add', [b.conv('/dp/proj', hidden, [CHANNELS, 1, 1]), chance]);
  const seconds = b.op('Mul', [b.op('Mul', [b.op('Exp', [logarithm]), mask]), length]);
  return b.op('Ceil', [seconds], [], '/Ceil');
}

/** The prior per id, drawn from and spread over the frames: float32 [rows, channels, frames]. */
function expand(
  b: Builder,
  { hidden }: Encoded,
  durations: string,
  { noise, noiseScale }: { noise: Attribute[]; noiseScale: string },
): string {
  const total = b.op('Squeeze', [b.op('ReduceSum', [durations, b.ints(2)], KEEP), b.ints(1, 2)]);
  const counts = b.op('Cast', [b.op('Clip', [total, b.float(1)])], [makeInt('to', DataType.INT64)]);
  const frames = b.op('ReduceMax', [counts], [makeInt('keepdims', 0)]);
  const end = b.op('CumSum', [durations, b.int(2)]);
  const steps = b.op('Cast', [b.op('Range', [b.int(0), frames, b.int(1)])], TO_FLOAT);
  const time = b.op('Unsqueeze', [steps, b.ints(0, 2)]);
  const before = (limit: string) => b.op('Cast', [b.op('Less', [time, limit])], TO_FLOAT);
  const path = b.op('Sub', [before(end), before(b.op('Sub', [end, durations]))]);
  const spread = (perId: string) =>
    b.op('Transpose', [b.op('MatMul', [path, b.op('Transpose', [perId], SWAP)])], SWAP);
  const mean = spread(b.conv('/enc_p/mean', hidden, [CHANNELS, CHANNELS, 1]));
  const deviation = b.op('Exp', [spread(b.conv('/enc_p/logs', hidden, [CHANNELS, CHANNELS, 1]))]);
  const random = b.op('RandomNormalLike', [mean], noise, '/RandomNormalLike');
  const drawn = b.op('Add', [mean, b.op('Mul', [b.op('Mul', [random, deviation]), noiseScale])]);
  const flowed = b.op('Tanh', [b.conv('/flow/conv', drawn, [CHANNELS, CHANNELS, 5])]);
  return b.op('Mul', [b.op('Add', [drawn, flowed]), maskOf(b, frames, counts)]);
}

function decode(b: Builder, latent: string, module: string): string {
  let x = b.conv(`${module}/conv_pre/Conv`, latent, [CHANNELS, WIDE, 7]);
  for (const [stage, from] of [WIDE, CHANNELS].entries()) {
    const activated = b.leaky(`${module}/LeakyRelu_${stage}`, x);
    const raised = b.upsample(`${module}/ups.${stage}/ConvTranspose`, activated, [from, CHANNELS]);
    const [first, second] = [3, 5].map((kernel) =>
      residual(b, raised, `${module}/resblocks.${stage}.${kernel}`, kernel),
    );
    const sum = b.op('Add', [first!, second!], [], `${module}/Add_${stage}`);
    x = b.op('Div', [sum, b.float(2)], [], `${module}/Div_${stage}`);
  }
  const last = b.conv(
    `${module}/conv_post/Conv`,
    b.leaky(`${module}/LeakyRelu_2`, x),
    [CHANNELS, 1, 7],
    1,
    false,
  );
  return b.op('Tanh', [last], [], `${module}/Tanh`);
}

function residual(b: Builder, input: string, name: string, kernel: number): string {
  return [1, 3].reduce((x, dilation) => {
    const activated = b.leaky(`${name}/LeakyRelu_${dilation}`, x);
    const convolved = b.conv(
      `${name}/convs.${dilation}/Conv`,
      activated,
      [CHANNELS, CHANNELS, kernel],
      dilation,
    );
    return b.op('Add', [convolved, x], [], `${name}/Add_${dilation}`);
  }, input);
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const ID_MAP = Object.fromEntries(
  ['_', '^', '$', ' ', '.', ',', ...LETTERS].map((symbol, id) => [symbol, [id]]),
);

/** Writes the voice as Piper would publish it, and gives the .onnx file's path. */
export function writeToyVoice(folder: string, name: string, graph: Graph = toyGraph(), opset = 15n): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.onnx`);
  // Field 1 of ModelProto, ir_version: 8.
  const model = { graph, opsets: [{ domain: '', version: opset }], unknown: [Uint8Array.of(0x08, 8)] };
  writeFileSync(file, writeModel(model));
  const json = {
    audio: { sample_rate: 16000 },
    hop_length: TOY_HOP,
    phoneme_type: 'text',
    language: { code: 'en_US' },
    phoneme_id_map: ID_MAP,
    num_symbols: TOY_SYMBOLS,
    num_speakers: 1,
    inference: { noise_scale: 0.6, length_scale: 1, noise_w: 0.5 },
  };
  writeFileSync(`${file}.json`, JSON.stringify(json));
  return file;
}
