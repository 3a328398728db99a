import { expect } from 'chai';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import type { SynthesisOptions } from '../../src/inference/row-speaker.js';
import { Synthesizer } from '../../src/inference/scheduler.js';
import type { Voice } from '../../src/voices/voice.js';
import { codeOf } from '../code-of.js';
import { row } from '../native/addon.js';
import { encodeModel, type Graph } from '../native/onnx-graph.js';
import { smallGraph, smallManifest, suiteFolder, writeSmallVoice } from '../native/small-voice.js';

/*
 * Faults, each a real one: a device is lost when a model fails in the words in which the runtime tells of it; a thread
 * dies by being terminated.
 */

const OPTIONS: SynthesisOptions = { priority: 'batch', user: 'ana' };
const ONE_ROW = { rows: 1, paddedCost: Infinity, waste: 0 };
const BATCHES = { rows: 8, paddedCost: Infinity, waste: 1 };

describe('The scheduler, when something fails', function () {
  this.timeout(60_000);
  const folder = suiteFolder();
  const libraryPath = runtimeLibrary();
  let synthesizer: Synthesizer;

  afterEach(() => synthesizer.close());

  function open(lanes: number, limits = ONE_ROW): Synthesizer {
    const device = { provider: 'cpu' as const };
    const setups = Array.from({ length: lanes }, (_, lane) => ({
      libraryPath,
      device,
      lane,
      rowsPerRun: limits.rows,
    }));
    return (synthesizer = new Synthesizer(setups, limits));
  }

  const speak = (voice: Voice, id: number) =>
    synthesizer.synthesize(voice, row([id, 2, 3]), OPTIONS).then(
      ({ samples }) => Array.from(samples, (sample) => Math.round(sample * 1000)),
      (error: unknown) => (error as { code?: string }).code ?? (error as Error).name,
    );

  /** Asks again in every turn of the event loop. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  }

  describe('a device', () => {
    it('brings its lane back when it is there again, and speaks what it failed on', async () => {
      const voice = voiceOf(writeSmallVoice(folder(), losing(0)));
      open(1);
      const all = [1, 2, 3].map((id) => speak(voice, id));
      await until(() => synthesizer.stats().lost === 1);
      expect(await codeOf(synthesizer.warm(voice, row([1])))).to.equal('device_lost');
      replaceGraph(voice, smallGraph());
      expect(await Promise.all(all)).to.deep.equal([
        [1, 2, 3],
        [2, 2, 3],
        [3, 2, 3],
      ]);
      expect(synthesizer.stats()).to.include({ lost: 0, waiting: 0 });
      await synthesizer.warm(voice, row([1]));
    });

    it('leaves its work to the other lanes', async () => {
      const voice = voiceOf(writeSmallVoice(folder(), losing(500)));
      open(2);
      await synthesizer.warm(voice, row([1]));
      const answers = await Promise.all([1, 2, 500, 3, 4, 5].map((id) => speak(voice, id)));
      expect(answers.map((answer) => (Array.isArray(answer) ? answer[0] : answer))).to.deep.equal([
        ...[1, 2, 'device_lost', 3, 4, 5],
      ]);
      await until(() => synthesizer.stats().lost === 0);
    });

    it('that one row brings down each time fails that row alone, whatever its batch', async () => {
      const voice = voiceOf(writeSmallVoice(folder(), losing(500)));
      open(1, BATCHES);
      await synthesizer.warm(voice, row([1]));
      const ids = [1, 2, 3, 500, 4, 5, 6, 7];
      const answers = await Promise.all(ids.map((id) => speak(voice, id)));
      expect(answers).to.deep.equal(ids.map((id) => (id === 500 ? 'device_lost' : [id, 2, 3])));
    });
  });

  describe('a thread', () => {
    /** Opens one lane that has the voice; its thread. */
    async function threadWith(voice: Voice): Promise<Worker> {
      const threads: Worker[] = [];
      const note = (thread: Worker) => threads.push(thread);
      process.on('worker', note);
      open(1);
      await synthesizer.warm(voice, row([1]));
      process.off('worker', note);
      return threads[0]!;
    }

    it('that dies is replaced, and what it was speaking is spoken', async () => {
      const voice = voiceOf(writeSmallVoice(folder(), slow()));
      const thread = await threadWith(voice);
      const all = [1, 2, 3].map((id) => speak(voice, id));
      await thread.terminate();
      expect(await Promise.all(all)).to.deep.equal([
        [1, 2, 3],
        [2, 2, 3],
        [3, 2, 3],
      ]);
    });

    it('that dies while it has nothing to do is replaced', async () => {
      const voice = voiceOf(writeSmallVoice(folder()));
      const thread = await threadWith(voice);
      await thread.terminate();
      expect(await speak(voice, 4)).to.deep.equal([4, 2, 3]);
    });

    it('that cannot start fails what it is asked for, and nothing hangs', async () => {
      const voice = voiceOf(writeSmallVoice(folder()));
      const device = { provider: 'cpu' as const };
      synthesizer = new Synthesizer(
        [{ libraryPath: '/nowhere/libonnxruntime.so', device, lane: 0 }],
        ONE_ROW,
      );
      expect(await speak(voice, 1)).to.equal('inference_failed');
    });
  });

  describe('a row', () => {
    it('fails alone in its batch', async () => {
      const voice = voiceOf(writeSmallVoice(folder(), failing(500)));
      open(1, BATCHES);
      const ids = [1, 2, 3, 500, 4, 5, 6, 7, 8, 9];
      const answers = await Promise.all(ids.map((id) => speak(voice, id)));
      expect(answers).to.deep.equal(ids.map((id) => (id === 500 ? 'inference_failed' : [id, 2, 3])));
    });

    it('is not spoken when it was given up while its batch lay ready', async () => {
      const voice = voiceOf(writeSmallVoice(folder(), slow()));
      open(1);
      const control = new AbortController();
      const before = speak(voice, 1);
      const dropped = synthesizer.synthesize(voice, row([500]), { ...OPTIONS, signal: control.signal });
      const after = speak(voice, 2);
      // The batch of the dropped row is laid ready in this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      expect(synthesizer.stats()).to.include({ batches: 1, waiting: 2 });
      control.abort();
      expect(await codeOf(dropped)).to.equal('AbortError');
      expect([await before, await after]).to.deep.equal([
        [1, 2, 3],
        [2, 2, 3],
      ]);
      expect(synthesizer.stats()).to.include({ batches: 2, rows: 2, waiting: 0 });
    });

    it('that is waited for is spoken next, though another batch lay ready', async () => {
      const voice = voiceOf(writeSmallVoice(folder(), slow()));
      open(1);
      const order: string[] = [];
      const spoken = (name: string, options: SynthesisOptions) =>
        synthesizer.synthesize(voice, row([1]), options).then(() => order.push(name));
      const background = ['a', 'b', 'c'].map((name) => spoken(name, OPTIONS));
      await new Promise((resolve) => setImmediate(resolve));
      const urgent = spoken('urgent', { priority: 'interactive', user: 'budi' });
      await Promise.all([...background, urgent]);
      expect(order).to.deep.equal(['a', 'urgent', 'b', 'c']);
    });
  });
});

function voiceOf(directory: string): Voice {
  return { directory, manifest: smallManifest(), sampleRate: 16000 } as Voice;
}

/** Ids from this one on are beyond a table's end. */
function failing(from: number, name = 'lookup'): Graph {
  return smallGraph({
    nodes: [
      { op: 'Sub', inputs: ['wide', 'from'], output: 'beyond' },
      { op: 'Clip', inputs: ['beyond', 'least'], output: 'index' },
      { op: 'Reshape', inputs: ['index', 'flat'], output: 'flatIndex' },
      {
        name,
        op: 'GatherElements',
        inputs: ['table', 'flatIndex'],
        output: 'zeros',
        attributes: { axis: 0 },
      },
      { op: 'ReduceSum', inputs: ['zeros'], output: 'sum', attributes: { keepdims: 0 } },
      { op: 'Add', inputs: ['values', 'sum'], output: 'audio' },
    ],
    constants: [
      { name: 'from', type: 'int64', shape: [], values: [from - 1] },
      { name: 'least', type: 'int64', shape: [], values: [0] },
      { name: 'flat', type: 'int64', shape: [1], values: [-1] },
      { name: 'table', type: 'float', shape: [1], values: [0] },
    ],
  });
}

/** As the runtime tells of a GPU that has failed. */
const losing = (from: number): Graph => failing(from, 'CUDA failure 700');

/** Some hundred milliseconds of products, which change nothing. */
function slow(): Graph {
  const size = 1500;
  return smallGraph({
    nodes: [
      { op: 'ConstantOfShape', inputs: ['square'], output: 'zeros' },
      { op: 'MatMul', inputs: ['zeros', 'zeros'], output: 'product0' },
      ...[1, 2, 3].map((step) => ({
        op: 'MatMul',
        inputs: [`product${step - 1}`, 'zeros'],
        output: `product${step}`,
      })),
      { op: 'ReduceSum', inputs: ['product3'], output: 'sum', attributes: { keepdims: 0 } },
      { op: 'Add', inputs: ['values', 'sum'], output: 'audio' },
    ],
    constants: [{ name: 'square', type: 'int64', shape: [2], values: [size, size] }],
  });
}

/** Whole at once, since a lane may be loading it. */
function replaceGraph({ directory }: Voice, graph: Graph): void {
  const file = join(directory, 'small.onnx');
  writeFileSync(`${file}.new`, encodeModel(graph));
  renameSync(`${file}.new`, file);
}
