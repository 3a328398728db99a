import { expect } from 'chai';
import type { AddonVoice, Row, RowResult } from '../../src/inference/binding.js';
import type { GraphManifest } from '../../src/voices/manifest.js';
import { errorOf, openAddon, row } from './addon.js';
import type { Constant, Node } from './onnx-graph.js';
import { smallGraph, smallManifest, suiteFolder, writeSmallVoice, type SmallGraph } from './small-voice.js';

const folder = suiteFolder();

function load(parts: SmallGraph, rowsPerRun: number, changes: Partial<GraphManifest> = {}): AddonVoice {
  const directory = writeSmallVoice(folder(), smallGraph(parts));
  return openAddon().load({
    directory,
    manifest: smallManifest(changes),
    device: { provider: 'cpu' },
    rowsPerRun,
  });
}

/** `code` for a failed row, else its samples × 1000: the ids of which they were made. */
function told(result: RowResult): string | number[] {
  return 'error' in result
    ? result.error.code
    : Array.from(result.samples, (sample) => Math.round(sample * 1000));
}

/** Every id looks up one element of a table of 100 by "index"; ids of 100 and more are out of its range. */
function lookUp(indexFrom: Node[]): SmallGraph {
  return {
    nodes: [
      ...indexFrom,
      { op: 'Shape', inputs: ['index'], output: 'shape' },
      { op: 'Reshape', inputs: ['index', 'flat'], output: 'flatIndex' },
      { op: 'GatherElements', inputs: ['table', 'flatIndex'], output: 'found', attributes: { axis: 0 } },
      { op: 'Reshape', inputs: ['found', 'shape'], output: 'audio' },
    ],
    constants: [
      { name: 'flat', type: 'int64', shape: [1], values: [-1] },
      { name: 'table', type: 'float', shape: [100], values: Array.from({ length: 100 }, (_, i) => i / 1000) },
    ],
  };
}

const BY_ID: Node[] = [{ op: 'Identity', inputs: ['wide'], output: 'index' }];

/** index = id × noise_w: in range only without the noise. */
const BY_NOISE: Node[] = [
  { op: 'Gather', inputs: ['scales', 'two'], output: 'noiseW', attributes: { axis: 0 } },
  { op: 'Mul', inputs: ['floats', 'noiseW'], output: 'noisy' },
  { op: 'Cast', inputs: ['noisy'], output: 'index', attributes: { to: 7 } },
];
const TWO: Constant = { name: 'two', type: 'int64', shape: [], values: [2] };

for (const rowsPerRun of [1, 8]) {
  describe(`native: a failing row, ${rowsPerRun} to a run`, () => {
    it('fails alone: the others of its batch still carry audio', () => {
      const voice = load(lookUp(BY_ID), rowsPerRun);
      const results = voice.synthesize([row([1, 2, 3]), row([500]), row([4]), row([99, 7])]);
      expect(results.map(told)).to.deep.equal([[1, 2, 3], 'inference_failed', [4], [99, 7]]);
      expect(voice.info().repeatedRuns).to.equal(rowsPerRun > 1 ? 1 : 0);
      voice.close();
    });

    it('is tried once more without the noise of the duration predictor', () => {
      const { nodes, constants } = lookUp(BY_NOISE);
      const voice = load({ nodes: nodes ?? [], constants: [...(constants ?? []), TWO] }, rowsPerRun);
      const rows = [row([50, 60], { noiseW: 9 }), row([5], { noiseW: 2 })];
      expect(voice.synthesize(rows).map(told)).to.deep.equal([[0, 0], [10]]);
      voice.close();
    });

    it('is told for samples that are no numbers', () => {
      const nodes: Node[] = [
        { op: 'Log', inputs: ['values'], output: 'logarithms' },
        { op: 'Exp', inputs: ['logarithms'], output: 'restored' },
        { op: 'Div', inputs: ['values', 'values'], output: 'ones' },
        { op: 'Mul', inputs: ['restored', 'ones'], output: 'audio' },
      ];
      const voice = load({ nodes }, rowsPerRun);
      const results = voice.synthesize([row([3]), row([1, 0, 2]), row([4, 5])]);
      expect(results.map(told)).to.deep.equal([[3], 'inference_failed', [4, 5]]);
      expect(results[1]).to.have.nested.property('error.message').that.contains('not finite');
      voice.close();
    });

    it('is told for durations of absurd size, and for negative ones', () => {
      for (const [op, constant] of [
        ['Mul', 1e12],
        ['Sub', 0.5],
      ] as const) {
        const durations: Node[] = [{ op, inputs: ['values', 'constant'], output: 'durations' }];
        const constants: Constant[] = [{ name: 'constant', type: 'float', shape: [], values: [constant] }];
        const voice = load({ durations, constants }, rowsPerRun);
        const results = voice.synthesize([row([1]), row([2, 3])]);
        expect(results.map(told)).to.deep.equal(['inference_failed', 'inference_failed']);
        expect(results[0]).to.have.nested.property('error.message').that.contains('duration');
        voice.close();
      }
    });

    it('is told for fewer samples than the durations promise', () => {
      const voice = load({}, rowsPerRun, { hop: 2 });
      expect(voice.synthesize([row([1]), row([2, 3])]).map(told)).to.deep.equal([
        'inference_failed',
        'inference_failed',
      ]);
      voice.close();
    });
  });
}

describe('native: a stream that fails', () => {
  it('throws the code that the row would carry, and is closed', () => {
    const voice = load(lookUp(BY_ID), 1);
    const stream = voice.stream(row([500]), { firstFrames: 1, windowFrames: 1 });
    errorOf('inference_failed', () => stream.next());
    errorOf('closed', () => stream.next());
    voice.close();
  });
});

describe('native: misuse', () => {
  it('is told apart from failures: the whole call throws and no row runs', () => {
    const voice = load({}, 8);
    const rows: Row[] = [row([1]), row([1000])];
    errorOf('invalid_argument', () => voice.synthesize(rows));
    voice.close();
  });

  it('does not read a method of another object', () => {
    const voice = load({}, 1);
    const { synthesize } = voice as { synthesize: (...rows: unknown[]) => unknown };
    expect(() => synthesize.call({}, [row([1])])).to.throw();
    voice.close();
  });
});
