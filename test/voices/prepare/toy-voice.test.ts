import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Addon, AddonVoice } from '../../../src/inference/binding.js';
import { manifestOn } from '../../../src/voices/manifest.js';
import { AttributeType, readModel, writeModel, type Graph } from '../../../src/voices/prepare/onnx/model.js';
import { convolveInWindows } from '../../../src/voices/prepare/windows.js';
import { audioOf, openAddon, row } from '../../native/addon.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { openPublished, prepareInto, type PreparedVoice } from '../prepared-voices.js';
import { largestDifference } from './difference.js';
import { toyGraph, writeToyVoice } from './toy-voice.js';

const STILL = { noiseScale: 0, noiseW: 0 };
const float = (name: string, value: number) => ({
  name,
  type: AttributeType.FLOAT,
  float: value,
  floats: [],
  ints: [],
});

/** Ids of rows of very different lengths. */
const ROWS = [41, 9, 120, 3].map((length) => Array.from({ length }, (_, i) => (i * 7 + length) % 32));

describe('Preparing a graph of the kind of VITS', () => {
  const addon: Addon = openAddon();
  const scratch = temporaryFolder();
  after(() => scratch.clean());

  const prepare = (name: string, graph: Graph) => {
    return prepareInto(scratch, writeToyVoice(join(scratch.path, 'published'), name, graph), addon);
  };
  const open = ({ directory, manifest }: PreparedVoice, provider = 'cpu'): AddonVoice =>
    addon.load({
      directory,
      manifest: manifestOn(provider, manifest),
      device: { provider: 'cpu' },
      rowsPerRun: 16,
    });
  const operators = (voice: PreparedVoice, file: string) =>
    readModel(readFileSync(join(voice.directory, file))).graph.nodes.map(({ operator }) => operator);
  const count = (list: string[], operator: string) => list.filter((one) => one === operator).length;

  let voice: PreparedVoice;
  before(async () => {
    voice = await prepare('toy', toyGraph());
  });

  it('takes every step', () => {
    expect(voice.manifest.lost).to.deep.equal([]);
    expect(voice.manifest.rewrites).to.include.members([
      'durations told',
      'scales per row',
      'batches',
      'stages, noise fed in',
      'layer norms fused',
      'convolutions in height one',
    ]);
    expect(voice.manifest.noise.map(({ channels, length }) => [channels, length])).to.deep.equal([
      [2, 'ids'],
      [16, 'frames'],
    ]);
  });

  it('has one way into height one and one out of it in the vocoder', () => {
    const vocoder = operators(voice, 'vocoder.onnx');
    expect(count(vocoder, 'Squeeze')).to.equal(1);
    expect(count(vocoder, 'Unsqueeze')).to.equal(2); // the other one is the published graph's last node
  });

  it('writes a spelled-out layer norm as one', () => {
    const encoder = operators(voice, 'encoder.onnx');
    expect(count(encoder, 'LayerNormalization')).to.equal(1);
    expect(count(encoder, 'ReduceMean')).to.equal(0);
  });

  it('tells how far the vocoder looks: at most eight frames, and two to spare', () => {
    expect(voice.manifest.vocoderReach).to.equal(10);
  });

  for (const provider of ['cpu', 'cuda']) {
    it(`speaks like the published graph, with the stages for ${provider}`, () => {
      const [ours, theirs] = [open(voice, provider), openPublished(addon, voice)];
      const rows = ROWS.map((ids) => row(ids, STILL));
      const expected = rows.flatMap((one) => audioOf(theirs, [one]));
      expect(largestDifference(audioOf(ours, rows), expected)).to.be.at.most(1e-5);
      ours.close();
      theirs.close();
    });
  }

  it('speaks rows together as alone, each with its own tempo, noise and seed', () => {
    const ours = open(voice);
    const rows = ROWS.map((ids, index) =>
      row(ids, { lengthScale: 0.5 + index / 2, noiseScale: index / 3, noiseW: 1 - index / 4, seed: index }),
    );
    const alone = rows.flatMap((one) => audioOf(ours, [one]));
    expect(largestDifference(audioOf(ours, rows), alone)).to.be.at.most(1e-5);
    ours.close();
  });

  it('streams what it speaks', () => {
    const ours = open(voice);
    const spoken = row(ROWS[2]!, { lengthScale: 3 });
    const [whole] = audioOf(ours, [spoken]);
    const stream = ours.stream(spoken, { firstFrames: 5, windowFrames: 11 });
    const pieces: Buffer[] = [];
    for (let piece = stream.next(); piece; piece = stream.next()) pieces.push(Buffer.from(piece.buffer));
    stream.close();
    ours.close();
    const joined = Buffer.concat(pieces);
    const samples = new Float32Array(joined.buffer, joined.byteOffset, joined.length / 4);
    expect(pieces.length).to.be.greaterThan(3);
    expect(largestDifference([{ samples }], [whole!])).to.be.at.most(1e-5);
  });

  it('tunes the vocoder for CPUs without changing what it says', () => {
    const { directory, manifest } = voice;
    const model = readModel(readFileSync(join(directory, 'vocoder.onnx')));
    const graph = convolveInWindows(model.graph);
    writeFileSync(join(directory, 'tuned.onnx'), writeModel({ ...model, graph }));
    const tuned = graph.nodes.map(({ operator }) => operator);
    expect(tuned).to.include('WindowedConvolutions');
    for (const gone of ['Conv', 'ConvTranspose', 'Div', 'LeakyRelu']) expect(tuned).not.to.include(gone);
    const stages = [...manifest.stages.slice(0, -1), { ...manifest.stages.at(-1)!, file: 'tuned.onnx' }];
    const [ours, plain] = [
      open({ ...voice, manifest: { ...manifest, stages } }, 'cuda'),
      open(voice, 'cuda'),
    ];
    const rows = ROWS.map((ids) => row(ids));
    expect(largestDifference(audioOf(ours, rows), audioOf(plain, rows))).to.be.at.most(1e-5);
    ours.close();
    plain.close();
  });

  it('keeps the deviation and the mean of the noise', async () => {
    const loud = await prepare('loud', toyGraph({ noise: [float('scale', 3), float('mean', 0.2)] }));
    expect(loud.manifest.lost).to.deep.equal([]);
    expect(loud.manifest.noise.map(({ name }) => name.split('/').at(-1))).to.deep.equal([
      'standard',
      'standard',
    ]);
    const [ours, plain] = [open(loud), open(voice)];
    const still = row(ROWS[0]!, STILL);
    const noisy = { ...still, noiseScale: 0.5 };
    const change = (which: AddonVoice) => largestDifference(audioOf(which, [noisy]), audioOf(which, [still]));
    expect(change(ours)).to.be.greaterThan(1.5 * change(plain));
    ours.close();
    plain.close();
  });

  it('keeps a graph whole whose vocoder goes by another name', async () => {
    const other = await prepare('other', toyGraph({ vocoder: 'gen' }));
    expect(other.manifest.stages.map(({ file }) => file)).to.deep.equal(['voice.onnx']);
    expect(other.manifest.lost.join(' ')).to.match(/can't be streamed inside a sentence/);
    expect(other.manifest.tensors).to.include({ latent: null, durations: '/Ceil_output_0' });
  });
});
