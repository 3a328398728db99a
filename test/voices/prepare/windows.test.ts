import { expect } from 'chai';
import {
  makeFloat,
  makeFloats,
  makeInt,
  makeInts,
  makeNode,
} from '../../../src/voices/prepare/onnx/build.js';
import {
  AttributeType,
  type Attribute,
  type Graph,
  type Node,
  type Tensor,
} from '../../../src/voices/prepare/onnx/model.js';
import { OWN_DOMAIN } from '../../../src/voices/prepare/onnx/domains.js';
import { convolveInWindows } from '../../../src/voices/prepare/windows.js';
import { errorOf, openAddon } from '../../native/addon.js';
import { largestDifference } from '../../native/signal.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { embeddedGraph, GraphOpener, numbers } from './embedded-graph.js';

/** Nodes in height one, and their constants. */
class Layers {
  readonly nodes: Node[] = [];
  readonly initializers: Tensor[] = [];

  add(operator: string, inputs: string[], attributes: Attribute[] = [], output?: string): string {
    const name = output ?? `${operator}_${this.nodes.length}`;
    this.nodes.push(makeNode(operator, inputs, name, attributes));
    return name;
  }

  /** One that keeps the length, unless `more` says otherwise. */
  convolution(
    input: string,
    [from, to, taps]: [number, number, number],
    {
      dilation = 1,
      bias = true,
      before = 0,
      more = [] as Attribute[],
      output = undefined as string | undefined,
    } = {},
  ): string {
    const span = (taps - 1) * dilation;
    const begin = before || Math.floor(span / 2);
    const inputs = [
      input,
      this.#weights([to, from, 1, taps], from * taps),
      ...(bias ? [this.#bias(to)] : []),
    ];
    const named = new Set(more.map(({ name }) => name));
    const usual = [
      makeInts('pads', [0, begin, 0, span - begin]),
      makeInts('dilations', [1, dilation]),
      makeInts('kernel_shape', [1, taps]),
    ];
    return this.add('Conv', inputs, [...usual.filter(({ name }) => !named.has(name)), ...more], output);
  }

  upsampling(input: string, [from, to, stride]: [number, number, number], kernel = 2 * stride): string {
    const cut = Math.ceil((kernel - stride) / 2);
    const inputs = [input, this.#weights([from, to, 1, kernel], (from * kernel) / stride), this.#bias(to)];
    const attributes = [
      makeInts('strides', [1, stride]),
      makeInts('pads', [0, cut, 0, cut]),
      makeInts('output_padding', [0, 2 * cut - (kernel - stride)]),
      makeInts('kernel_shape', [1, kernel]),
    ];
    return this.add('ConvTranspose', inputs, attributes);
  }

  leaky(input: string, slope = 0.1): string {
    return this.add('LeakyRelu', [input], [makeFloat('alpha', slope)]);
  }

  divided(input: string, by: number): string {
    this.initializers.push(makeFloats(`by_${this.nodes.length}`, [], Float32Array.of(by)));
    return this.add('Div', [input, `by_${this.nodes.length}`]);
  }

  /** A residual block of HiFi-GAN's second kind. */
  residual(input: string, channels: number, taps: number, dilations: number[]): string {
    return dilations.reduce((sum, dilation) => {
      const convolved = this.convolution(this.leaky(sum), [channels, channels, taps], { dilation });
      return this.add('Add', [convolved, sum]);
    }, input);
  }

  graph(channels: number): Graph {
    return embeddedGraph(channels, this.nodes, this.initializers);
  }

  #weights(dims: [number, number, number, number], fan: number): string {
    return this.#constant(
      dims,
      numbers(
        dims.reduce((product, dim) => product * dim, 1),
        1 / Math.sqrt(fan),
        3,
      ),
    );
  }

  #bias(channels: number): string {
    return this.#constant([channels], numbers(channels, 1, 7));
  }

  #constant(dims: number[], values: Float32Array): string {
    const name = `constant_${this.initializers.length}`;
    this.initializers.push(makeFloats(name, dims, values));
    return name;
  }
}

/** A vocoder of the kind of HiFi-GAN, from 32 channels down to one; its two upsamplings make eight samples of each. */
function vocoder(): Layers {
  const layers = new Layers();
  let x = layers.convolution('input', [32, 64, 7]);
  for (const [from, to, stride, kernel] of [
    [64, 48, 4, 8],
    [48, 16, 2, 6],
  ] as const) {
    const raised = layers.upsampling(layers.leaky(x), [from, to, stride], kernel);
    const blocks = [
      layers.residual(raised, to, 3, [1, 2]),
      layers.residual(raised, to, 5, [2, 6]),
      layers.residual(raised, to, 11, [3]),
    ];
    const sum = blocks.reduce((one, other) => layers.add('Add', [one, other]));
    x = layers.divided(sum, 3);
  }
  layers.convolution(layers.leaky(x, 0.01), [16, 1, 7], { bias: false, output: 'output' });
  return layers;
}

const operatorsOf = (graph: Graph) => graph.nodes.filter(({ domain }) => domain === OWN_DOMAIN);

function onInstructions(graph: Graph, instructions: string): Graph {
  const string = new TextEncoder().encode(instructions);
  const attribute = { name: 'instructions', type: AttributeType.STRING, string, floats: [], ints: [] };
  const nodes = graph.nodes.map((node) =>
    node.domain === OWN_DOMAIN ? { ...node, attributes: [...node.attributes, attribute] } : node,
  );
  return { ...graph, nodes };
}

describe('Convolutions in windows', () => {
  const scratch = temporaryFolder();
  const opener = new GraphOpener(openAddon(), scratch.path);
  after(() => scratch.clean());

  /** Relative to the largest sample. */
  function difference(actual: Float32Array[], expected: Float32Array[]): number {
    return Math.max(
      ...actual.map((samples, index) => {
        const peak = expected[index]!.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
        return largestDifference(samples, expected[index]!) / peak;
      }),
    );
  }

  /** Shorter than a tile, than a filter, one window to the sample, and several. */
  const COUNTS = [1, 2, 5, 40, 126, 127, 400];

  it('speak as a vocoder of the published kind, at every length', () => {
    const graph = vocoder().graph(32);
    const rewritten = convolveInWindows(graph);
    expect(operatorsOf(rewritten)).to.have.length(3);
    const left = rewritten.nodes.map(({ operator }) => operator);
    for (const gone of ['Conv', 'ConvTranspose', 'LeakyRelu', 'Add', 'Div'])
      expect(left).not.to.include(gone);
    expect(difference(opener.run(rewritten, COUNTS), opener.run(graph, COUNTS))).to.be.at.most(2e-5);
  });

  it('do so on several threads', () => {
    const rewritten = convolveInWindows(vocoder().graph(32));
    const device = { provider: 'cpu', intraOpThreads: 2 } as const;
    const [one, two] = [opener.run(rewritten, COUNTS), opener.run(rewritten, COUNTS, device)];
    expect(two).to.deep.equal(one);
  });

  for (let taps = 1; taps <= 16; taps++) {
    it(`give what filters of ${taps} taps give, dilated or not, with every set of instructions`, function () {
      const layers = new Layers();
      const raised = layers.upsampling('input', [16, 32, 2]);
      const first = layers.convolution(raised, [32, 96, taps], { before: Math.min(1, taps - 1) });
      const second = layers.convolution(layers.leaky(first), [96, 16, taps], { dilation: 3, bias: false });
      layers.convolution(second, [16, 3, taps], { dilation: 2, output: 'output' });
      const graph = layers.graph(16);
      const rewritten = convolveInWindows(graph);
      expect(operatorsOf(rewritten)).to.have.length(1);
      const expected = opener.run(graph, COUNTS);
      for (const instructions of ['', 'baseline', 'avx2', 'avx512']) {
        const chosen = onInstructions(rewritten, instructions);
        if (!runsHere(chosen)) continue;
        expect(difference(opener.run(chosen, COUNTS), expected), instructions).to.be.at.most(5e-5);
      }
    });
  }

  function runsHere(graph: Graph): boolean {
    try {
      opener.open(graph).close();
      return true;
    } catch (error) {
      expect((error as Error).message).to.match(/This processor has no instructions "avx\w+"/);
      return false;
    }
  }

  it('have kernels for every processor', () => {
    const rewritten = convolveInWindows(vocoder().graph(32));
    expect(runsHere(onInstructions(rewritten, 'baseline'))).to.equal(true);
    const error = errorOf('model_invalid', () => opener.open(onInstructions(rewritten, 'abacus')));
    expect(error.message).to.contain('This processor has no instructions "abacus"');
  });

  for (const taps of [3, 5]) {
    it(`take wide filters of ${taps} taps that stand alone, and their rectifiers`, () => {
      const layers = new Layers();
      const widened = layers.convolution('input', [128, 256, taps]);
      layers.convolution(layers.add('Relu', [widened]), [256, 128, taps], { output: 'output' });
      const graph = layers.graph(128);
      const rewritten = convolveInWindows(graph);
      expect(operatorsOf(rewritten)).to.have.length(1);
      expect(difference(opener.run(rewritten, COUNTS), opener.run(graph, COUNTS))).to.be.at.most(2e-5);
    });
  }

  it('leave to others what only rectifies the result', () => {
    const layers = new Layers();
    layers.add('Relu', [layers.convolution('input', [128, 256, 3])], [], 'output');
    const graph = layers.graph(128);
    const rewritten = convolveInWindows(graph);
    expect(operatorsOf(rewritten)).to.have.length(1);
    expect(rewritten.nodes.map(({ operator }) => operator)).to.include('Relu');
    expect(difference(opener.run(rewritten, COUNTS), opener.run(graph, COUNTS))).to.be.at.most(2e-5);
  });

  it('are not parted where a later sum needs what is before an upsampling', () => {
    const layers = new Layers();
    const first = layers.convolution('input', [32, 32, 3]);
    const raised = layers.upsampling(first, [32, 32, 2]);
    const sum = layers.add('Add', [layers.convolution(first, [32, 32, 3]), first]);
    layers.add('Add', [raised, layers.upsampling(sum, [32, 32, 2])], [], 'output');
    const graph = layers.graph(32);
    const rewritten = convolveInWindows(graph);
    expect(operatorsOf(rewritten)).to.have.length(1);
    expect(difference(opener.run(rewritten, COUNTS), opener.run(graph, COUNTS))).to.be.at.most(2e-5);
  });

  it('never show a sum to whom the tensor without it was meant', () => {
    const before = (layers: Layers) => layers.upsampling('input', [32, 32, 2]);
    const byAnotherName = new Layers();
    const raised = before(byAnotherName);
    const convolved = byAnotherName.convolution(raised, [32, 32, 3]);
    const sum = byAnotherName.add('Add', [byAnotherName.divided(convolved, 1), raised]);
    const again = byAnotherName.convolution(byAnotherName.leaky(convolved), [32, 32, 3]);
    byAnotherName.add('Add', [again, sum], [], 'output');

    const unused = new Layers();
    const other = before(unused);
    unused.convolution(other, [32, 32, 3], { output: 'output' });
    unused.add('Add', ['output', other]);
    for (const graph of [byAnotherName.graph(32), unused.graph(32)]) {
      const rewritten = convolveInWindows(graph);
      expect(difference(opener.run(rewritten, COUNTS), opener.run(graph, COUNTS))).to.be.at.most(2e-5);
    }
  });

  it('end before an upsampling to channels that fill no vector', () => {
    const layers = new Layers();
    const raised = layers.upsampling('input', [32, 32, 2]);
    layers.add('Tanh', [layers.upsampling(raised, [32, 1, 4])], [], 'output');
    const graph = layers.graph(32);
    const rewritten = convolveInWindows(graph);
    expect(operatorsOf(rewritten)).to.have.length(1);
    expect(rewritten.nodes.map(({ operator }) => operator)).to.include('ConvTranspose');
    expect(difference(opener.run(rewritten, COUNTS), opener.run(graph, COUNTS))).to.be.at.most(2e-5);
  });

  it('end where another operator needs what is inside', () => {
    const layers = vocoder();
    const inner = layers.nodes.find(({ operator }) => operator === 'Add')!.outputs[0]!;
    layers.add('Tanh', [inner]);
    const graph = layers.graph(32);
    const watched = { ...graph, outputs: [...graph.outputs, { ...graph.outputs[0]!, name: inner }] };
    expect(convolveInWindows(watched)).to.equal(watched);
    expect(convolveInWindows(graph)).to.equal(graph);
  });

  it('begin behind what they do not know', () => {
    const layers = new Layers();
    const before = layers.convolution('input', [32, 32, 7]);
    const bent = layers.add('Tanh', [before]);
    const raised = layers.upsampling(layers.leaky(bent), [32, 16, 2]);
    const sum = layers.residual(raised, 16, 3, [1, 3]);
    layers.add('Tanh', [sum], [], 'output');
    const graph = layers.graph(32);
    const rewritten = convolveInWindows(graph);
    expect(rewritten.nodes.map(({ operator }) => operator)).to.include.members(['Conv', 'LeakyRelu']);
    expect(operatorsOf(rewritten)).to.have.length(1);
    expect(difference(opener.run(rewritten, COUNTS), opener.run(graph, COUNTS))).to.be.at.most(2e-5);
  });

  describe('leave alone', () => {
    const wide = (more: Attribute[], from = 128) => {
      const layers = new Layers();
      layers.convolution('input', [from, 128, 3], { more, output: 'output' });
      return layers.graph(128);
    };
    const others: Record<string, () => Graph> = {
      'a narrow filter that stands alone': () => {
        const layers = new Layers();
        layers.convolution('input', [64, 64, 3], { output: 'output' });
        return layers.graph(64);
      },
      'channels that fill no vector': () => {
        const layers = new Layers();
        layers.convolution(layers.convolution('input', [130, 130, 3]), [130, 130, 3], { output: 'output' });
        return layers.graph(130);
      },
      'a height that grows': () => wide([makeInts('pads', [1, 1, 1, 1])]),
      'a stride': () => wide([makeInts('strides', [1, 2])]),
      groups: () => wide([makeInt('group', 2)], 64),
      'a length that changes': () => wide([makeInts('pads', [0, 0, 0, 0])]),
      'automatic padding': () =>
        wide([
          {
            ...makeInt('auto_pad', 0),
            type: AttributeType.STRING,
            string: new TextEncoder().encode('SAME_UPPER'),
          },
        ]),
      'an upsampling to no multiple': () => {
        const layers = new Layers();
        const raised = layers.upsampling('input', [32, 32, 4], 6);
        layers.convolution(raised, [32, 16, 3], { output: 'output' });
        return layers.graph(32);
      },
    };
    for (const [what, graphOf] of Object.entries(others)) {
      it(what, () => {
        const graph = graphOf();
        expect(convolveInWindows(graph)).to.equal(graph);
      });
    }
  });

  describe('whose steps do not fit', () => {
    const changed = (change: (node: Node) => Node) => {
      const graph = convolveInWindows(vocoder().graph(32));
      const last = operatorsOf(graph).at(-1)!;
      return { ...graph, nodes: graph.nodes.map((node) => (node === last ? change(node) : node)) };
    };
    const withInts = (name: string, change: (values: number[]) => number[]) => (node: Node) => ({
      ...node,
      attributes: node.attributes.map((attribute) =>
        attribute.name === name ? makeInts(name, change(attribute.ints.map(Number))) : attribute,
      ),
    });
    const cases: [string, (node: Node) => Node, RegExp][] = [
      ['lack one number', withInts('steps', (steps) => steps.slice(1)), /are no steps/],
      ['count backwards', withInts('steps', (steps) => steps.with(3, -1)), /are no steps/],
      ['reach beyond all bounds', withInts('steps', (steps) => steps.with(3, 2 ** 40)), /are no steps/],
      [
        'have a window without an end',
        (node) => ({
          ...node,
          attributes: node.attributes.map((one) =>
            one.name === 'window' ? makeInt('window', 2 ** 40) : one,
          ),
        }),
        /must be 1 to 65536 positions long, but is 1099511627776/,
      ],
      ['stand still', withInts('steps', (steps) => steps.with(3, 0)), /must not go backwards/],
      ['name weights that are not there', withInts('steps', (steps) => steps.with(0, 99)), /does not have/],
      [
        'name a bias for weights',
        withInts('steps', (steps) => steps.with(0, 2)),
        /constants of 4 dimensions/,
      ],
      ['read what comes later', withInts('steps', (steps) => steps.with(2, 5)), /a source before it/],
      [
        'add what has another shape',
        withInts('steps', (steps) => steps.with(8 + 9, 0).with(7 + 9, 9)),
        /its own shape/,
      ],
    ];
    for (const [what, change, message] of cases) {
      it(`are refused: they ${what}`, () => {
        const error = errorOf('model_invalid', () => opener.open(changed(change)));
        expect(error.message).to.match(message);
      });
    }
  });
});
