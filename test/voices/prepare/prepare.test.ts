import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import type { Addon, AddonVoice, Row } from '../../../src/inference/binding.js';
import { trialEngine } from '../../../src/inference/trial-engine.js';
import { manifestOn } from '../../../src/voices/manifest.js';
import type { TrialEngine } from '../../../src/voices/prepare/trial.js';
import { audioOf, openAddon, row } from '../../native/addon.js';
import { requireVoice } from '../../native/published-voice.js';
import { temporaryFolder } from '../../temporary-folder.js';
import {
  ENGLISH,
  FOUR_SPEAKERS,
  JOE,
  openPrepared,
  openPublished,
  prepareInto,
  type PreparedVoice,
} from '../prepared-voices.js';
import { idsOf, SENTENCES } from '../sentences.js';
import { largestDifference } from './difference.js';

const TOLERANCE = 1e-4;
/**
 * A batch adds the same numbers up in another order, and the vocoder makes more of that: rows of the published graph
 * differ by up to 7e-5 in a batch. A row that another one leaks into differs by a hundredth and more.
 */
const ROUNDING = 5e-4;
const STILL = { noiseScale: 0, noiseW: 0 };

for (const [name, file] of Object.entries({ english: ENGLISH, 'four-speakers': FOUR_SPEAKERS, joe: JOE })) {
  describe(`A prepared voice: ${name}`, function () {
    this.timeout(180_000);
    const addon: Addon = openAddon();
    const scratch = temporaryFolder();
    let voice: PreparedVoice;
    let prepared: AddonVoice;

    before(async function () {
      voice = await prepareInto(scratch, requireVoice(this, file), addon);
      prepared = openPrepared(addon, voice);
    });
    after(() => {
      prepared?.close();
      scratch.clean();
    });

    const rows = (changes: Partial<Row> = {}): Row[] =>
      SENTENCES.map((sentence, index) =>
        row(idsOf(voice.published.text, sentence), {
          speaker: index % voice.manifest.numSpeakers,
          seed: index,
          ...changes,
        }),
      );
    const alone = (all: Row[]) => all.flatMap((one) => audioOf(prepared, [one]));

    it('speaks like the published graph', () => {
      const published = openPublished(addon, voice);
      const expected = rows(STILL).flatMap((one) => audioOf(published, [one]));
      published.close();
      expect(largestDifference(alone(rows(STILL)), expected)).to.be.at.most(TOLERANCE);
    });

    it('speaks a row in a batch as alone, with noise', () => {
      const { directory, manifest } = voice;
      const lane = addon.load({
        directory,
        manifest: manifestOn('cpu', manifest),
        device: { provider: 'cpu' },
      });
      const together = audioOf(lane, rows());
      lane.close();
      expect(largestDifference(together, alone(rows()))).to.be.at.most(TOLERANCE);
    });

    it('speaks a row in one run of the graph with others as alone', () => {
      expect(largestDifference(audioOf(prepared, rows()), alone(rows()))).to.be.at.most(ROUNDING);
    });

    it('gives every row of a batch its own tempo', () => {
      const tempos = rows().map((one, index) => ({ ...one, lengthScale: 0.6 + 0.4 * index }));
      const together = audioOf(prepared, tempos);
      expect(largestDifference(together, alone(tempos))).to.be.at.most(ROUNDING);
      const last = together.at(-1)!.samples.length;
      expect(last).to.be.greaterThan(1.5 * audioOf(prepared, rows()).at(-1)!.samples.length);
    });

    it('tells durations that add up to the samples', () => {
      for (const [index, { samples, durations }] of audioOf(prepared, rows()).entries()) {
        expect(durations).to.have.length(rows()[index]!.ids.length);
        const frames = durations!.reduce((sum, value) => sum + value, 0);
        expect(frames * voice.manifest.hop).to.equal(samples.length);
      }
    });

    it('says in its manifest how near it comes to the published graph', () => {
      expect(voice.manifest.batchable).to.equal(true);
      expect(voice.manifest.rewrites.at(-1)).to.match(/^largest difference to the published graph \d/);
    });

    it('has a gain that brings it to the common loudness', () => {
      expect(voice.gain).to.be.within(0.25, 8);
    });

    it('lies whole in its folder, with nothing beside it', () => {
      const { stages, cpuStages = [], halfStages = [] } = voice.manifest;
      const files = new Set([...stages, ...cpuStages, ...halfStages].map((stage) => stage.file));
      expect(readdirSync(voice.directory)).to.have.members([...files, 'manifest.json', 'loudness.json']);
      expect(readdirSync(dirname(voice.directory))).to.deep.equal([voice.published.name]);
    });
  });
}

describe('A prepared Piper voice', function () {
  this.timeout(180_000);
  const addon: Addon = openAddon();
  const [scratch, elsewhere] = [temporaryFolder(), temporaryFolder()];
  let voice: PreparedVoice;
  let prepared: AddonVoice;

  before(async function () {
    voice = await prepareInto(scratch, requireVoice(this, JOE), addon);
    prepared = openPrepared(addon, voice);
  });
  after(() => {
    prepared?.close();
    scratch.clean();
    elsewhere.clean();
  });

  it('is cut into encoder, acoustic and vocoder, and loses nothing', () => {
    expect(voice.manifest.stages.map(({ file }) => file)).to.deep.equal([
      'encoder.onnx',
      'acoustic.onnx',
      'vocoder.onnx',
    ]);
    expect(voice.manifest.stages.at(-1)!.inputs).to.deep.equal([voice.manifest.tensors.latent]);
    expect(voice.manifest.lost).to.deep.equal([]);
  });

  it('takes the noise of both its generators as inputs', () => {
    expect(voice.manifest.noise.map(({ channels, length }) => [channels, length])).to.deep.equal([
      [2, 'ids'],
      [192, 'frames'],
    ]);
  });

  it('speaks otherwise with another seed, and the same with the same', () => {
    const ids = idsOf(voice.published.text, SENTENCES[1]!);
    const [first, again, other] = [1, 1, 2].map(
      (seed) => audioOf(prepared, [row(ids, { seed })])[0]!.samples,
    );
    expect(again).to.deep.equal(first);
    expect(other).not.to.deep.equal(first);
  });

  it('streams the same samples that it gives whole', () => {
    const spoken = row(idsOf(voice.published.text, SENTENCES[3]!));
    const whole = audioOf(prepared, [spoken])[0]!;
    const stream = prepared.stream(spoken, { firstFrames: 20, windowFrames: 50 });
    const pieces: number[] = [];
    for (let piece = stream.next(); piece; piece = stream.next()) pieces.push(...piece);
    stream.close();
    expect(largestDifference([{ samples: Float32Array.from(pieces) }], [whole])).to.be.at.most(TOLERANCE);
  });

  it('is tuned for CPUs, in all its stages', () => {
    const { rewrites, cpuStages } = voice.manifest;
    expect(rewrites).to.include.members(['vocoder in windows', 'wide convolutions in windows']);
    const files = ['encoder.cpu.onnx', 'acoustic.cpu.onnx', 'vocoder.cpu.onnx'];
    expect(cpuStages!.map(({ file }) => file)).to.deep.equal(files);
  });

  it('is tuned where it can be, when a rewriting fails', async () => {
    const real = trialEngine(addon);
    const engine: TrialEngine = {
      open: (directory, manifest) => {
        const fails = manifest.stages.some(({ file }) => file === 'encoder.cpu.onnx');
        if (fails) throw new Error('The encoder was rewritten.');
        return real.open(directory, manifest);
      },
    };
    const { manifest, directory } = await prepareInto(elsewhere, JOE, addon, engine);
    const files = ['encoder.onnx', 'acoustic.onnx', 'vocoder.cpu.onnx'];
    expect(manifest.cpuStages!.map(({ file }) => file)).to.deep.equal(files);
    expect(manifest.rewrites).to.include('vocoder in windows');
    expect(manifest.rewrites).not.to.include('wide convolutions in windows');
    expect(readdirSync(directory)).not.to.include('encoder.cpu.onnx');
  });

  it('replaces what was prepared before', async () => {
    const again = await prepareInto(scratch, JOE, addon);
    expect(again.manifest).to.deep.equal(voice.manifest);
    expect(existsSync(voice.directory)).to.equal(true);
  });
});
