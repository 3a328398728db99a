import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphManifest } from '../../../src/voices/manifest.js';
import {
  makeFloats,
  makeInt64Vector,
  makeInts,
  makeNode,
  makeValueInfo,
} from '../../../src/voices/prepare/onnx/build.js';
import { DataType, writeModel, type Graph } from '../../../src/voices/prepare/onnx/model.js';
import { convolveByToomCook, toomCook } from '../../../src/voices/prepare/toom-cook.js';
import { audioOf, openAddon, row } from '../../native/addon.js';
import { largestDifference } from '../../native/signal.js';
import { temporaryFolder } from '../../temporary-folder.js';

/** Numbers in ±size that look random and are the same every time. */
const numbers = (count: number, size = 1, seed = 1) =>
  Float32Array.from({ length: count }, (_, i) => size * Math.sin(12.9898 * (i + 1) * seed + seed));

const product = (matrix: number[][], vector: ArrayLike<number>) =>
  matrix.map((row) => row.reduce((sum, value, index) => sum + value * vector[index]!, 0));

describe('The algorithm of Toom and Cook', () => {
  for (const taps of [3, 5]) {
    it(`makes four outputs of a filter of ${taps} taps from ${taps + 3} products`, () => {
      const { products, shares, join } = toomCook(taps);
      const [filter, samples] = [numbers(taps), numbers(taps + 3, 1, 2)];
      const values = product(products, filter);
      const pointwise = product(shares, samples).map((share, point) => share * values[point]!);
      expect(pointwise).to.have.length(taps + 3);
      product(join, pointwise).forEach((output, at) => {
        const direct = filter.reduce((sum, weight, tap) => sum + weight * samples[at + tap]!, 0);
        expect(output).to.be.closeTo(direct, 1e-12);
      });
    });
  }
});

describe('Convolutions by Toom and Cook', () => {
  const scratch = temporaryFolder();
  const addon = openAddon();
  after(() => scratch.clean());

  const SYMBOLS = 12;
  interface Sizes {
    channels?: number;
    taps: number;
    pads: [number, number];
    bias?: boolean;
    stride?: number;
  }

  /** A row of numbers per id, convolved in height one; what comes out is the audio. */
  function graphOf({ channels = 128, taps, pads, bias = true, stride = 1 }: Sizes): Graph {
    const outputs = 2 * channels;
    const weights = numbers(outputs * channels * taps, 1 / Math.sqrt(channels * taps), 3);
    const attributes = [
      makeInts('kernel_shape', [1, taps]),
      makeInts('pads', [0, pads[0], 0, pads[1]]),
      makeInts('strides', [1, stride]),
    ];
    return {
      name: 'convolution',
      nodes: [
        makeNode('Gather', ['table', 'input'], 'embedded'),
        makeNode('Transpose', ['embedded'], 'channels', [makeInts('perm', [0, 2, 1])]),
        makeNode('Unsqueeze', ['channels', 'height'], 'high'),
        makeNode('Conv', ['high', 'weights', ...(bias ? ['bias'] : [])], 'convolved', attributes),
        makeNode('Squeeze', ['convolved', 'height'], 'output'),
      ],
      initializers: [
        makeFloats('table', [SYMBOLS, channels], numbers(SYMBOLS * channels, 1, 5)),
        makeInt64Vector('height', [2]),
        makeFloats('weights', [outputs, channels, 1, taps], weights),
        makeFloats('bias', [outputs], numbers(outputs, 1, 7)),
      ],
      inputs: [
        makeValueInfo('input', DataType.INT64, ['rows', 'ids']),
        makeValueInfo('input_lengths', DataType.INT64, ['rows']),
        makeValueInfo('scales', DataType.FLOAT, [3]),
      ],
      outputs: [makeValueInfo('output', DataType.FLOAT)],
      values: [],
    };
  }

  let graphs = 0;
  /** What the graph gives for so many ids. */
  function run(graph: Graph, count: number): Float32Array {
    const directory = join(scratch.path, String(graphs++));
    mkdirSync(directory, { recursive: true });
    const opsets = [{ domain: '', version: 17n }];
    writeFileSync(
      join(directory, 'graph.onnx'),
      writeModel({ graph, opsets, unknown: [Uint8Array.of(0x08, 8)] }),
    );
    const stage = {
      file: 'graph.onnx',
      inputs: ['input', 'input_lengths', 'scales'],
      outputs: ['output'],
    };
    const manifest: GraphManifest = {
      ...{ version: 1, sourceSha256: String(graphs), sampleRate: 16000, hop: 16, numSymbols: SYMBOLS },
      ...{ numSpeakers: 1, maxIds: 100, stages: [stage], noise: [], lost: [], rewrites: [] },
      tensors: {
        ...{ ids: 'input', lengths: 'input_lengths', scales: 'scales', speaker: null },
        ...{ durations: null, latent: null, audio: 'output' },
      },
      ...{ perRowScales: false, vocoderReach: 0, batchable: false },
    };
    const voice = addon.load({ directory, manifest, device: { provider: 'cpu' } });
    const [audio] = audioOf(voice, [row(Array.from({ length: count }, (_, i) => (i * 5) % SYMBOLS))]);
    voice.close();
    return audio!.samples;
  }

  const CASES: Sizes[] = [
    { taps: 3, pads: [1, 1] },
    { taps: 5, pads: [2, 2] },
    { taps: 3, pads: [0, 0] },
    { taps: 5, pads: [4, 1] },
    { taps: 5, pads: [2, 2], bias: false },
  ];
  for (const sizes of CASES) {
    const { taps, pads, bias = true } = sizes;
    it(`give what one of ${taps} taps gives, padded by ${pads.join(' and ')}${bias ? '' : ', without a bias'}`, () => {
      const graph = graphOf(sizes);
      const rewritten = convolveByToomCook(graph);
      expect(rewritten.nodes.length).to.be.greaterThan(graph.nodes.length);
      // Whole tiles, and every number of outputs in the last one.
      for (const count of [5, 6, 7, 8, 41]) {
        const [actual, expected] = [run(rewritten, count), run(graph, count)];
        expect(actual.length).to.equal(expected.length);
        expect(largestDifference(actual, expected)).to.be.at.most(2e-5);
      }
    });
  }

  it('leave what they would not make faster', () => {
    for (const sizes of [
      { taps: 3, pads: [1, 1], channels: 64 },
      { taps: 3, pads: [1, 1], channels: 136 },
      { taps: 7, pads: [3, 3] },
      { taps: 3, pads: [1, 1], stride: 2 },
    ] satisfies Sizes[]) {
      const { nodes } = graphOf(sizes);
      expect(convolveByToomCook(graphOf(sizes)).nodes).to.deep.equal(nodes);
    }
  });
});
