import { expect } from 'chai';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Addon } from '../../../src/inference/binding.js';
import {
  makeFloats,
  makeInt,
  makeInt64Vector,
  makeNode,
  makeValueInfo,
} from '../../../src/voices/prepare/onnx/build.js';
import { DataType, readModel, writeModel, type Graph } from '../../../src/voices/prepare/onnx/model.js';
import { audioOf, openAddon, row } from '../../native/addon.js';
import { requireVoice } from '../../native/published-voice.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { ENGLISH, JOE, openPrepared, openPublished, prepareInto } from '../prepared-voices.js';
import { idsOf, SENTENCES } from '../sentences.js';
import { largestDifference } from './difference.js';

const STILL = { noiseScale: 0, noiseW: 0 };

describe('Preparing an unusual graph', function () {
  this.timeout(180_000);
  const addon: Addon = openAddon();
  const scratch = temporaryFolder();
  after(() => scratch.clean());

  /** A published voice whose graph has been changed. */
  function changed(
    name: string,
    source: string,
    change: (graph: Graph) => Graph,
    json = (text: string) => text,
  ): string {
    const folder = join(scratch.path, 'published');
    mkdirSync(folder, { recursive: true });
    const model = readModel(readFileSync(source));
    const file = join(folder, `${name}.onnx`);
    writeFileSync(file, writeModel({ ...model, graph: change(model.graph) }));
    writeFileSync(`${file}.json`, json(readFileSync(`${source}.json`, 'utf8')));
    return file;
  }

  const withoutDurations = (graph: Graph): Graph => ({
    ...graph,
    outputs: graph.outputs.filter(({ name }) => name !== 'durations'),
  });

  async function prepared(file: string) {
    const voice = await prepareInto(scratch, file, addon);
    const rows = SENTENCES.slice(0, 2).map((sentence) => row(idsOf(voice.published.text, sentence), STILL));
    const [ours, theirs] = [openPrepared(addon, voice), openPublished(addon, voice)];
    const difference = largestDifference(audioOf(ours, rows), audioOf(theirs, rows));
    ours.close();
    theirs.close();
    return { manifest: voice.manifest, difference };
  }

  it('gives word times up where the one Ceil is not about ids', async () => {
    const { manifest, difference } = await prepared(changed('pairs', ENGLISH, withoutDurations));
    expect(manifest.tensors.durations).to.equal(null);
    expect(manifest.lost).to.include("Words can't be timed.");
    expect(difference).to.be.at.most(1e-4);
  });

  it('gives word times up where there are several Ceils', async () => {
    const twoCeils = (graph: Graph): Graph => ({
      ...withoutDurations(graph),
      nodes: [...graph.nodes, makeNode('Ceil', ['scales'], 'another')],
    });
    const { manifest, difference } = await prepared(changed('two-ceils', ENGLISH, twoCeils));
    expect(manifest.tensors.durations).to.equal(null);
    expect(manifest.lost.join(' ')).to.match(/2 Ceil nodes/);
    expect(difference).to.be.at.most(1e-4);
  });

  it('gives batches up where the scales are not taken apart by Gather', async () => {
    const throughIdentity = (graph: Graph): Graph => ({
      ...graph,
      nodes: [
        makeNode('Identity', ['scales'], 'same_scales'),
        ...graph.nodes.map((node) => ({
          ...node,
          inputs: node.inputs.map((name) => (name === 'scales' ? 'same_scales' : name)),
        })),
      ],
    });
    const { manifest, difference } = await prepared(changed('identity', ENGLISH, throughIdentity));
    expect(manifest).to.include({ perRowScales: false, batchable: false });
    expect(manifest.lost.join(' ')).to.match(/different scales run alone/);
    expect(difference).to.be.at.most(1e-4);
  });

  it('gives batches up where rows leak into each other', async () => {
    const leaking = (graph: Graph): Graph => ({
      ...graph,
      nodes: [
        ...graph.nodes.map((node) => ({
          ...node,
          outputs: node.outputs.map((name) => (name === 'output' ? 'own' : name)),
        })),
        { ...makeNode('ReduceMax', ['own'], 'loudest', [makeInt('keepdims', 1)]) },
        makeNode('Div', ['own', 'loudest'], 'output'),
      ],
    });
    const { manifest, difference } = await prepared(changed('leaking', ENGLISH, leaking));
    expect(manifest.batchable).to.equal(false);
    expect(manifest.lost).to.include('Rows run alone: in a batch they change each other.');
    expect(difference).to.be.at.most(1e-4);
  });

  it('refuses a graph with other inputs, and names them', async () => {
    const other = (graph: Graph): Graph => ({
      ...graph,
      inputs: graph.inputs.map((input) => (input.name === 'scales' ? { ...input, name: 'speed' } : input)),
    });
    const error = await prepareInto(scratch, changed('other', ENGLISH, other), addon).catch(
      (failure: unknown) => failure,
    );
    expect(error).to.have.property('code', 'voice_invalid');
    expect((error as Error).message).to.match(/must be input, input_lengths, scales, sid, but are .*speed/);
  });

  it('refuses a graph that does not run', async () => {
    const torn = (graph: Graph): Graph => ({ ...graph, nodes: graph.nodes.slice(0, -1) });
    const error = await prepareInto(scratch, changed('torn', ENGLISH, torn), addon).catch(
      (failure: unknown) => failure,
    );
    expect(error).to.have.property('code', 'voice_invalid');
  });

  describe('of several speakers', () => {
    const SPEAKERS = 3;
    const WIDTH = 8;

    /** In joe's graph that name went, by an exporter's whim, to the table of symbols. */
    function freeSpeakerName(graph: Graph): Graph {
      const renamed = (name: string) => (name === 'sid' ? 'emb.weight' : name);
      return {
        ...graph,
        nodes: graph.nodes.map((node) => ({ ...node, inputs: node.inputs.map(renamed) })),
        initializers: graph.initializers.map((tensor) => ({ ...tensor, name: renamed(tensor.name) })),
      };
    }

    /** Gives joe a vector per speaker that its vocoder is conditioned on, in the way and by the names of VITS. */
    function withSpeakers(published: Graph): Graph {
      const graph = freeSpeakerName(published);
      const channels = 256; // of joe's conv_pre
      const wave = (count: number, step: number, size: number) =>
        Float32Array.from({ length: count }, (_, i) => size * Math.sin(i * step));
      const cond = {
        ...makeNode('Conv', ['speaker_vector', 'cond.weight', 'cond.bias'], 'conditioned'),
        name: '/dec/cond/Conv',
      };
      const add = {
        ...makeNode('Add', ['/dec/conv_pre/Conv_output_0', 'conditioned'], 'dec_start'),
        name: '/dec/Add_cond',
      };
      const nodes = graph.nodes.flatMap((node) => {
        if (node.name === '/dec/conv_pre/Conv') return [node, cond, add];
        const inputs = node.inputs.map((name) =>
          name === '/dec/conv_pre/Conv_output_0' ? 'dec_start' : name,
        );
        return [{ ...node, inputs }];
      });
      return {
        ...graph,
        nodes: [
          { ...makeNode('Gather', ['emb_g.weight', 'sid'], 'embedded'), name: '/emb_g/Gather' },
          makeNode('Unsqueeze', ['embedded', 'last_axis'], 'speaker_vector'),
          ...nodes,
        ],
        inputs: [...graph.inputs, makeValueInfo('sid', DataType.INT64, [1])],
        initializers: [
          ...graph.initializers,
          makeInt64Vector('last_axis', [2]),
          makeFloats('emb_g.weight', [SPEAKERS, WIDTH], wave(SPEAKERS * WIDTH, 1.7, 1)),
          makeFloats('cond.weight', [channels, WIDTH, 1], wave(channels * WIDTH, 0.9, 0.3)),
          makeFloats('cond.bias', [channels], wave(channels, 0.3, 0.01)),
        ],
      };
    }

    it('takes a speaker per row into the vocoder', async function () {
      const file = changed('crowd', requireVoice(this, JOE), withSpeakers, (json) =>
        json.replace(/"num_speakers": 1/, `"num_speakers": ${SPEAKERS}`),
      );
      const voice = await prepareInto(scratch, file, addon);
      expect(voice.manifest.lost).to.deep.equal([]);
      expect(voice.manifest).to.include({ numSpeakers: SPEAKERS, batchable: true });
      expect(voice.manifest.stages.at(-1)!.inputs).to.include('speaker_vector');
      const ids = idsOf(voice.published.text, SENTENCES[1]!);
      const rows = [0, 1, 2].map((speaker) => row(ids, { ...STILL, speaker }));
      const [ours, theirs] = [openPrepared(addon, voice), openPublished(addon, voice)];
      const [together, published] = [audioOf(ours, rows), rows.flatMap((one) => audioOf(theirs, [one]))];
      ours.close();
      theirs.close();
      expect(largestDifference(together, published)).to.be.at.most(5e-4);
      expect(largestDifference([together[0]!], [together[1]!])).to.be.greaterThan(0.01);
    });

    it('refuses more speakers than the graph knows', async function () {
      requireVoice(this, JOE);
      const file = join(scratch.path, 'published', 'too-many.onnx');
      mkdirSync(join(scratch.path, 'published'), { recursive: true });
      copyFileSync(JOE, file);
      const json = readFileSync(`${JOE}.json`, 'utf8').replace(/"num_speakers": 1/, '"num_speakers": 4');
      writeFileSync(`${file}.json`, json);
      const error = await prepareInto(scratch, file, addon).catch((failure: unknown) => failure);
      expect((error as Error).message).to.match(/num_speakers is 4, but the graph knows 1/);
    });
  });
});
