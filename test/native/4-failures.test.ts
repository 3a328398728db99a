import { expect } from 'chai';
import type { AddonVoice, Row, RowResult } from '../../src/inference/binding.js';
import type { GraphManifest } from '../../src/voices/manifest.js';
import { audioOf, errorOf, openAddon, row } from './addon.js';
import type { Constant, Node } from './onnx-graph.js';
import { largestDifference } from './signal.js';
import { smallGraph, smallManifest, suiteFolder, writeSmallVoice, type SmallGraph } from './small-voice.js';
import { windowedManifest, writeWindowedVoice } from './windowed-voice.js';

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

/** Adds the sum of so many zeros: few up to this many rows, more than any machine has for more. */
function outOfMemoryBeyond(rows: number): SmallGraph {
  return {
    nodes: [
      { op: 'Shape', inputs: ['lengths'], output: 'rowCount' },
      { op: 'Greater', inputs: ['rowCount', 'most'], output: 'tooMany' },
      { op: 'Cast', inputs: ['tooMany'], output: 'excess', attributes: { to: 7 } },
      { op: 'Mul', inputs: ['excess', 'petabyte'], output: 'size' },
      { op: 'ConstantOfShape', inputs: ['size'], output: 'zeros' },
      { op: 'ReduceSum', inputs: ['zeros'], output: 'sum', attributes: { keepdims: 0 } },
      { op: 'Add', inputs: ['values', 'sum'], output: 'audio' },
    ],
    constants: [
      { name: 'most', type: 'int64', shape: [1], values: [rows] },
      { name: 'petabyte', type: 'int64', shape: [1], values: [2 ** 48] },
    ],
  };
}

/** As the runtime says it of a GPU: ids of 100 and more fail in a node of that name. */
function losesDevice(): SmallGraph {
  const { nodes = [], constants = [] } = lookUp(BY_ID);
  const named = nodes.map((node) =>
    node.op === 'GatherElements' ? { ...node, name: 'CUDA failure 700' } : node,
  );
  return { nodes: named, constants };
}

for (const rowsPerRun of [1, 8]) {
  describe(`native: a failing row, ${rowsPerRun} to a run`, () => {
    it('fails alone: the others of its batch still carry audio', () => {
      const voice = load(lookUp(BY_ID), rowsPerRun);
      const results = voice.synthesize([row([1, 2, 3]), row([500]), row([4]), row([99, 7])]);
      expect(results.map(told)).to.deep.equal([[1, 2, 3], 'inference_failed', [4], [99, 7]]);
      expect(voice.info().repeatedRuns).to.equal(rowsPerRun > 1 ? 2 : 0);
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

describe('native: a batch that fails', () => {
  it('is repeated by halves: one bad row of 64 costs six runs', () => {
    const voice = load(lookUp(BY_ID), 64);
    const rows = Array.from({ length: 64 }, (_, i) => row([i === 37 ? 500 : i]));
    const expected = rows.map((_, i) => (i === 37 ? 'inference_failed' : [i]));
    expect(voice.synthesize(rows).map(told)).to.deep.equal(expected);
    expect(voice.info().repeatedRuns).to.equal(6);
    voice.close();
  });

  it('for want of memory is repeated in halves that it suffices for, and the next one comes in such', () => {
    const voice = load(outOfMemoryBeyond(2), 8);
    const rows = Array.from({ length: 8 }, (_, i) => row([i + 1]));
    const expected = rows.map((_, i) => [i + 1]);
    expect(voice.synthesize(rows).map(told)).to.deep.equal(expected);
    const { repeatedRuns } = voice.info();
    expect(repeatedRuns).to.be.within(2, 3); // of 8 rows, of the first 4, and of the last 4
    expect(voice.synthesize(rows).map(told)).to.deep.equal(expected);
    expect(voice.info()).to.include({ repeatedRuns });
    voice.close();
  });

  it('for want of memory that no single row leaves is told for every row', () => {
    const voice = load(outOfMemoryBeyond(0), 4);
    const rows = [row([1]), row([2]), row([3])];
    expect(voice.synthesize(rows).map(told)).to.deep.equal(rows.map(() => 'out_of_memory'));
    voice.close();
  });

  it('for a device that is lost is given up at once, and so is all that these sessions are asked for', () => {
    const voice = load(losesDevice(), 8);
    const rows = [row([1]), row([500]), row([3])];
    const expected = rows.map(() => 'device_lost');
    expect(voice.synthesize(rows).map(told)).to.deep.equal(expected);
    errorOf('device_lost', () => voice.synthesize([row([1])]));
    voice.close();
  });

  it('for a device that was lost is spoken by what is loaded then', () => {
    const directory = writeSmallVoice(folder(), smallGraph(losesDevice()));
    const request = { directory, manifest: smallManifest(), device: { provider: 'cpu' } } as const;
    const lost = openAddon().load(request);
    expect(lost.synthesize([row([500])]).map(told)).to.deep.equal(['device_lost']);
    const fresh = openAddon().load(request);
    expect(fresh.synthesize([row([5])]).map(told)).to.deep.equal([[5]]);
    lost.close();
    fresh.close();
  });
});

describe('native: rows of a run, after memory did not suffice for them', () => {
  const rows = Array.from({ length: 8 }, (_, i) => row([i + 1]));
  const open = (memoryPatience: number, sufficing: number) =>
    openAddon().load({
      directory: writeSmallVoice(folder(), smallGraph(outOfMemoryBeyond(sufficing))),
      manifest: smallManifest(),
      device: { provider: 'cpu' },
      rowsPerRun: 8,
      memoryPatience,
    });

  it('stay as few until the time is over', () => {
    const voice = open(3600, 2);
    for (let call = 0; call < 4; call++) voice.synthesize(rows);
    expect(voice.info()).to.include({ rowsPerRun: 2 });
    voice.close();
  });

  it('are doubled step by step, fall again, and every row is spoken', () => {
    const voice = open(0, 2);
    const limits = Array.from({ length: 6 }, (_, call) => {
      // The first call asks for 8 rows; the others ask again for more than suffices.
      expect(voice.synthesize(call === 0 ? rows : rows.slice(0, 4)).map(told)).to.not.include(
        'out_of_memory',
      );
      return voice.info().rowsPerRun;
    });
    expect(limits).to.deep.equal([2, 2, 2, 2, 2, 2]);
    expect(voice.info().repeatedRuns).to.be.greaterThan(5);
    voice.close();
  });

  it('reach what was asked for where memory suffices again', () => {
    const voice = open(0, 2);
    voice.synthesize(rows);
    const limits = Array.from({ length: 3 }, () => {
      voice.synthesize(rows.slice(0, 2));
      return voice.info().rowsPerRun;
    });
    expect(limits).to.deep.equal([4, 8, 8]);
    voice.close();
  });

  it('that have fallen again and again are told of once, with what to do', () => {
    const voice = open(0, 2);
    const notes = Array.from({ length: 8 }, () => {
      voice.synthesize(rows);
      return voice.takeNotes();
    });
    expect(notes.flat()).to.have.length(1);
    expect(notes.flat()[0]).to.match(
      /^The memory of cpu:0 has sufficed for no more than 2 rows .*lantang tune/,
    );
    voice.close();
  });
});

describe('native: a row whose longest window memory does not suffice for', () => {
  it('is spoken in shorter ones, to the same samples', () => {
    const ids = Array.from({ length: 390 }, (_, i) => 1 + ((i * 37) % 999));
    const open = (directory: string) =>
      openAddon().load({ directory, manifest: windowedManifest, device: { provider: 'cpu' } });
    const [ample, scarce] = [{}, { frames: 150 }].map((limit) => open(writeWindowedVoice(folder(), limit)));
    const [expected] = audioOf(ample!, [row(ids)]);
    const [actual] = audioOf(scarce!, [row(ids)]);
    expect(largestDifference(actual!.samples, expected!.samples)).to.be.at.most(1e-6);
    [ample!, scarce!].forEach((voice) => voice.close());
  });
});

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
