import { expect } from 'chai';
import { fuseGelus } from '../../../src/voices/prepare/gelu.js';
import { makeFloats, makeInt, makeInt64Vector, makeNode } from '../../../src/voices/prepare/onnx/build.js';
import type { Graph, Node } from '../../../src/voices/prepare/onnx/model.js';
import { openAddon } from '../../native/addon.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { largestDifference } from '../../native/signal.js';
import { embeddedGraph, GraphOpener, numbers } from './embedded-graph.js';

const CHANNELS = 8;
const COUNTS = [1, 30];

interface Spelling {
  linear?: number;
  bias?: boolean;
  /** Whether the bias is added to a product of matrices. */
  matrix?: boolean;
  /** Of each pair of inputs, the other one first. */
  turned?: boolean;
  /** What follows, from `gelu` to `last`. */
  then?: Node[];
}

/** On [rows, ids, channels], as an exporter spells it out. */
function graphOf({
  linear = Math.sqrt(2 / Math.PI),
  bias = true,
  matrix = true,
  turned = false,
  then,
}: Spelling): Graph {
  const node = (operator: string, one: string, other: string, output: string) =>
    makeNode(operator, turned ? [other, one] : [one, other], output);
  const x = bias ? 'biased' : 'embedded';
  const nodes = [
    makeNode('MatMul', ['embedded', 'matrix'], 'product of matrices'),
    ...(bias ? [node('Add', 'bias', matrix ? 'product of matrices' : 'embedded', 'biased')] : []),
    node('Mul', x, 'half', 'h'),
    node('Mul', x, x, 'square'),
    node('Mul', 'square', 'cubic', 'cube'),
    node('Add', 'cube', 'linear', 'slope'),
    node('Mul', x, 'slope', 'argument'),
    makeNode('Tanh', ['argument'], 'tanh'),
    node('Mul', 'h', 'tanh', 'product'),
    node('Add', 'h', 'product', 'gelu'),
    ...(then ?? [makeNode('Identity', ['gelu'], 'last')]),
    makeNode('Unsqueeze', ['last', 'height'], 'output'),
  ];
  const scalar = (name: string, value: number) => makeFloats(name, [], Float32Array.of(value));
  return embeddedGraph(CHANNELS, nodes, [
    makeFloats('bias', [CHANNELS], numbers(CHANNELS, 2, 9)),
    makeFloats('matrix', [CHANNELS, CHANNELS], numbers(CHANNELS * CHANNELS, 1, 4)),
    scalar('half', 0.5),
    scalar('cubic', 0.044715 * Math.sqrt(2 / Math.PI)),
    scalar('linear', linear),
    makeInt64Vector('time', [1]),
  ]);
}

describe('Spelled-out Gaussian error linear units', () => {
  const scratch = temporaryFolder();
  const opener = new GraphOpener(openAddon(), scratch.path);
  after(() => scratch.clean());
  const operators = (graph: Graph) => graph.nodes.map(({ operator }) => operator);

  for (const spelling of [{}, { bias: false }, { turned: true }] satisfies Spelling[]) {
    it(`are one node that says the same: ${JSON.stringify(spelling)}`, () => {
      const graph = graphOf(spelling);
      const fused = fuseGelus(graph);
      expect(operators(fused)).to.include('FastGelu');
      for (const gone of ['Mul', 'Add', 'Tanh']) expect(operators(fused)).not.to.include(gone);
      const [actual, expected] = [opener.run(fused, COUNTS), opener.run(graph, COUNTS)];
      actual.forEach((samples, index) => {
        expect(largestDifference(samples, expected[index]!)).to.be.at.most(2e-6);
      });
    });
  }

  it('keep a bias that may be spread over what it is added to', () => {
    const fused = fuseGelus(graphOf({ matrix: false }));
    expect(fused.nodes.find(({ operator }) => operator === 'FastGelu')!.inputs).to.deep.equal(['biased']);
  });

  it('keep a bias that others need as well', () => {
    const graph = graphOf({ then: [makeNode('Add', ['gelu', 'biased'], 'last')] });
    const fused = fuseGelus(graph);
    expect(fused.nodes.find(({ operator }) => operator === 'FastGelu')!.inputs).to.deep.equal(['biased']);
    const [actual, expected] = [opener.run(fused, COUNTS), opener.run(graph, COUNTS)];
    expect(largestDifference(actual[1]!, expected[1]!)).to.be.at.most(2e-6);
  });

  const OTHERS: Record<string, Spelling> = {
    'another function': { linear: 0.8 },
    'what others need as well': { then: [makeNode('Add', ['gelu', 'tanh'], 'last')] },
    'what is summed up over time': {
      then: [makeNode('CumSum', ['gelu', 'one'], 'last', [makeInt('reverse', 0)])],
    },
  };
  for (const [what, spelling] of Object.entries(OTHERS)) {
    it(`stay as they are: ${what}`, () => {
      const graph = graphOf(spelling);
      expect(fuseGelus(graph)).to.equal(graph);
    });
  }
});
