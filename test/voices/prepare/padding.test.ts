import { expect } from 'chai';
import { makeFloats, makeInt64Vector, makeInts, makeNode } from '../../../src/voices/prepare/onnx/build.js';
import { AttributeType, type Attribute, type Graph } from '../../../src/voices/prepare/onnx/model.js';
import { padInConvolutions } from '../../../src/voices/prepare/padding.js';
import { openAddon } from '../../native/addon.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { embeddedGraph, GraphOpener, numbers } from './embedded-graph.js';

const CHANNELS = 8;
const COUNTS = [2, 3, 30];

interface Padding {
  pads?: number[];
  value?: number;
  mode?: string;
  /** The convolution's own. */
  own?: [number, number];
}

/** What is padded goes into a filter of five taps, and where `twice` is set into the sum as well. */
function graphOf({ pads = [0, 0, 3, 0, 0, 1], value, mode, own = [0, 0] }: Padding, twice = false): Graph {
  const string = new TextEncoder().encode(mode);
  const modes: Attribute[] = mode
    ? [{ name: 'mode', type: AttributeType.STRING, string, floats: [], ints: [] }]
    : [];
  const padded = makeNode(
    'Pad',
    ['channels', 'pads', ...(value === undefined ? [] : ['value'])],
    'padded',
    modes,
  );
  const conv = makeNode('Conv', ['padded', 'weights'], 'convolved', [makeInts('pads', own)]);
  const sums = twice
    ? [makeNode('ReduceMax', ['padded'], 'largest'), makeNode('Add', ['convolved', 'largest'], 'sum')]
    : [];
  const nodes = [
    padded,
    conv,
    ...sums,
    makeNode('Unsqueeze', [twice ? 'sum' : 'convolved', 'height'], 'output'),
  ];
  return embeddedGraph(CHANNELS, nodes, [
    makeInt64Vector('pads', pads),
    makeFloats('value', [], Float32Array.of(value ?? 0)),
    makeFloats('weights', [CHANNELS, CHANNELS, 5], numbers(CHANNELS * CHANNELS * 5)),
  ]);
}

describe('Padding in convolutions', () => {
  const scratch = temporaryFolder();
  const opener = new GraphOpener(openAddon(), scratch.path);
  after(() => scratch.clean());

  for (const own of [
    [0, 0],
    [2, 1],
  ] satisfies [number, number][]) {
    it(`gives the same, beside ${own.join(' and ')} of the convolution's own`, () => {
      const graph = graphOf({ own });
      const without = padInConvolutions(graph);
      expect(without.nodes.map(({ operator }) => operator)).not.to.include('Pad');
      expect(opener.run(without, COUNTS)).to.deep.equal(opener.run(graph, COUNTS));
    });
  }

  const OTHERS: Record<string, Graph> = {
    'is not of zeros': graphOf({ value: 1 }),
    'repeats what is there': graphOf({ mode: 'edge' }),
    'adds channels': graphOf({ pads: [0, 1, 2, 0, -1, 2] }),
    'cuts off': graphOf({ pads: [0, 0, -1, 0, 0, 5] }),
    'others need as well': graphOf({}, true),
  };
  for (const [what, graph] of Object.entries(OTHERS)) {
    it(`is left where it ${what}`, () => {
      expect(padInConvolutions(graph)).to.equal(graph);
      expect(opener.run(graph, COUNTS)).to.have.length(COUNTS.length);
    });
  }
});
