import { makeFloat, makeFloats, makeInt, makeInts, makeNode } from '../../src/voices/prepare/onnx/build.js';
import type { Attribute, Graph, Node, Tensor } from '../../src/voices/prepare/onnx/model.js';

/** Channels of the latent that a Piper vocoder takes, at every published size. */
const LATENT_CHANNELS = 192;

/** What Piper's training fixes of a vocoder (HiFi-GAN) by `quality`. */
export interface VocoderSize {
  /** Channels after the first convolution; each upsampling halves them. */
  channels: number;
  upsampling: readonly { factor: number; kernel: number }[];
  /** One residual block a kernel in each stage; its convolutions, by their dilations. */
  blocks: readonly { kernel: number; dilations: readonly number[] }[];
  /** Each convolution of a block is followed by one without dilation. */
  twofold: boolean;
}

export const VOCODER_SIZES = {
  medium: {
    channels: 256,
    upsampling: [
      { factor: 8, kernel: 16 },
      { factor: 8, kernel: 16 },
      { factor: 4, kernel: 8 },
    ],
    blocks: [
      { kernel: 3, dilations: [1, 2] },
      { kernel: 5, dilations: [2, 6] },
      { kernel: 7, dilations: [3, 12] },
    ],
    twofold: false,
  },
  high: {
    channels: 512,
    upsampling: [
      { factor: 8, kernel: 16 },
      { factor: 8, kernel: 16 },
      { factor: 2, kernel: 4 },
      { factor: 2, kernel: 4 },
    ],
    blocks: [3, 7, 11].map((kernel) => ({ kernel, dilations: [1, 3, 5] })),
    twofold: true,
  },
} satisfies Record<string, VocoderSize>;

/** The graph with another vocoder, of random weights: the same in every run. What stands before it is kept. */
export function withVocoder(graph: Graph, size: VocoderSize): Graph {
  const isVocoder = ({ name }: Node) => name.startsWith('/dec/');
  const [first, last] = [graph.nodes.find(isVocoder), graph.nodes.findLast(isVocoder)];
  if (!first || !last) throw new Error('The graph has no nodes named /dec/…: its vocoder is not found.');
  const builder = new VocoderBuilder();
  builder.build(first.inputs[0]!, last.outputs[0]!, size);
  const others = graph.nodes.filter((node) => !isVocoder(node));
  const at = others.findIndex(({ inputs }) => inputs.includes(last.outputs[0]!));
  return {
    ...graph,
    nodes: [...others.slice(0, at), ...builder.nodes, ...others.slice(at)],
    initializers: [
      ...graph.initializers.filter(({ name }) => !/^(dec\.|\/dec\/)/.test(name)),
      ...builder.initializers,
    ],
    values: graph.values.filter(({ name }) => !name.startsWith('/dec/')),
  };
}

/** Names, operators and order are those of Piper's exporter. */
class VocoderBuilder {
  readonly nodes: Node[] = [];
  readonly initializers: Tensor[] = [];
  readonly #counts = new Map<string, number>();
  #state = 1;

  build(latent: string, output: string, { channels, upsampling, blocks, twofold }: VocoderSize): void {
    const share = this.#initializer('/dec/Constant_output_0', [], Float32Array.of(blocks.length));
    let x = this.#conv('conv_pre', latent, [LATENT_CHANNELS, channels, 7]);
    upsampling.forEach((up, stage) => {
      const to = channels / 2 ** (stage + 1);
      x = this.#upsample(`ups.${stage}`, this.#leaky('', x, 0.1), [2 * to, to], up);
      // The exporter finds that all blocks of a stage begin with the same activation, and keeps one.
      const activated = this.#leaky(`resblocks.${stage * blocks.length}/`, x, 0.1);
      x = blocks
        .map((block, index) => {
          const name = `resblocks.${stage * blocks.length + index}/`;
          return this.#residual(name, x, activated, to, block, twofold);
        })
        .reduce((sum, block) => this.#op('', 'Add', [sum, block]));
      x = this.#op('', 'Div', [x, share]);
    });
    const narrow = channels / 2 ** upsampling.length;
    x = this.#conv('conv_post', this.#leaky('', x, 0.01), [narrow, 1, 7], 1, false);
    this.nodes.push({ ...makeNode('Tanh', [x], output), name: '/dec/Tanh' });
  }

  #residual(
    name: string,
    input: string,
    activated: string,
    channels: number,
    { kernel, dilations }: VocoderSize['blocks'][number],
    twofold: boolean,
  ): string {
    return dilations.reduce((x, dilation, index) => {
      const shape: [number, number, number] = [channels, channels, kernel];
      const first = index === 0 ? activated : this.#leaky(name, x, 0.1);
      let y = this.#conv(`${name}convs${twofold ? '1' : ''}.${index}`, first, shape, dilation);
      if (twofold) y = this.#conv(`${name}convs2.${index}`, this.#leaky(name, y, 0.1), shape);
      return this.#op(name, 'Add', [y, x]);
    }, input);
  }

  #conv(
    module: string,
    input: string,
    [from, to, kernel]: [number, number, number],
    dilation = 1,
    biased = true,
  ): string {
    const weight = this.#weights(`${module}.weight`, [to, from, kernel], from * kernel);
    const bias = biased ? [this.#weights(`${module}.bias`, [to], from * kernel)] : [];
    const pad = (dilation * (kernel - 1)) / 2;
    const attributes = convolution(kernel, pad, 1, dilation);
    return this.#op(`${module}/`, 'Conv', [input, weight, ...bias], attributes);
  }

  #upsample(
    module: string,
    input: string,
    [from, to]: [number, number],
    { factor, kernel }: VocoderSize['upsampling'][number],
  ): string {
    const inputs = (from * kernel) / factor; // that reach one sample
    const weight = this.#weights(`${module}.weight`, [from, to, kernel], inputs);
    const bias = this.#weights(`${module}.bias`, [to], inputs);
    const attributes = convolution(kernel, (kernel - factor) / 2, factor);
    return this.#op(`${module}/`, 'ConvTranspose', [input, weight, bias], attributes);
  }

  #leaky(module: string, input: string, slope: number): string {
    return this.#op(module, 'LeakyRelu', [input], [makeFloat('alpha', slope)]);
  }

  /** A node named as torch names it: by its module, its operator and, after the first, a count. */
  #op(module: string, operator: string, inputs: string[], attributes: Attribute[] = []): string {
    const base = `/dec/${module}${operator}`;
    const count = this.#counts.get(base) ?? 0;
    this.#counts.set(base, count + 1);
    const name = count === 0 ? base : `${base}_${count}`;
    this.nodes.push({ ...makeNode(operator, inputs, `${name}_output_0`, attributes), name });
    return `${name}_output_0`;
  }

  /** Uniform, of a variance that neither swells nor fades the sound from layer to layer. */
  #weights(name: string, dims: number[], inputs: number): string {
    const size = Math.sqrt(3 / inputs) * 0.7;
    const count = dims.reduce((product, dim) => product * dim, 1);
    const values = Float32Array.from({ length: count }, () => size * (2 * this.#random() - 1));
    return this.#initializer(`dec.${name.replaceAll('/', '.')}`, dims, values);
  }

  #initializer(name: string, dims: number[], values: Float32Array): string {
    this.initializers.push(makeFloats(name, dims, values));
    return name;
  }

  /** Park and Miller's generator. */
  #random(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state / 2_147_483_647;
  }
}

function convolution(kernel: number, pad: number, stride: number, dilation = 1): Attribute[] {
  return [
    makeInts('dilations', [dilation]),
    makeInt('group', 1),
    makeInts('kernel_shape', [kernel]),
    makeInts('pads', [pad, pad]),
    makeInts('strides', [stride]),
  ];
}
