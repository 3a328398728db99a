import { join } from 'node:path';
import { expect } from 'chai';
import type { AddonVoice, Row } from '../../src/inference/binding.js';
import { trialEngine } from '../../src/inference/trial-engine.js';
import type { GraphManifest } from '../../src/voices/manifest.js';
import { readPiperVoice } from '../../src/voices/piper.js';
import { prepareVoice } from '../../src/voices/prepare/prepare.js';
import { referenceIds } from '../../src/voices/reference-ids.js';
import type { VoiceText } from '../../src/voices/voice.js';
import { audioOf, openAddon, row } from './addon.js';
import { EMBEDDED_VOICES, FETCHED_VOICES, requireVoice, SHARED_VOICES } from './published-voice.js';
import { joined, largestDifference, rootMeanSquare } from './signal.js';
import { suiteFolder } from './small-voice.js';

/** 80 dB below full scale: what the same sums in another order may differ by. */
const TOLERANCE = 1e-4;
/**
 * In a source-filter voice's pulse train a harmonic at the Nyquist frequency comes or goes when the pitch rounds
 * differently, as it may between a run of one row and one of several; a frame or two then differ by more.
 */
const STEP = { share: 1e-2, height: 1e-3 };
const folder = suiteFolder();

for (const path of [
  join(EMBEDDED_VOICES, 'english.onnx'),
  join(SHARED_VOICES, 'four-speakers.onnx'),
  join(FETCHED_VOICES, 'en_US-joe-medium.onnx'),
]) {
  describe(`native: ${path.replace(/^.*\//, '')} as it was prepared`, function () {
    this.timeout(300_000);
    let manifest: GraphManifest;
    let text: VoiceText;
    let alone: AddonVoice;
    let batching: AddonVoice;

    before(async function () {
      requireVoice(this, path);
      const published = await readPiperVoice(path);
      const directory = join(folder(), published.name);
      ({ manifest } = prepareVoice(published, directory, trialEngine(openAddon())));
      text = published.text;
      alone = openAddon().load({ directory, manifest, device: { provider: 'cpu' } });
      batching = openAddon().load({ directory, manifest, device: { provider: 'cpu' }, rowsPerRun: 16 });
    });
    after(() => [alone, batching].forEach((voice) => voice?.close()));

    /** A row of this share of a sentence, spoken by whichever speaker the seed falls on. */
    const spoken = (share: number, seed: number, changes: Partial<Row> = {}) =>
      row(referenceIds(text, share), { seed, speaker: seed % manifest.numSpeakers, ...changes });

    function expectClose(actual: Float32Array, expected: Float32Array, what: string): void {
      const largest = largestDifference(actual, expected);
      if (manifest.tensors.latent !== null) return void expect(largest, what).to.be.at.most(TOLERANCE);
      const beyond = actual.filter((sample, i) => Math.abs(sample - expected[i]!) > TOLERANCE).length;
      expect(largest, what).to.be.at.most(STEP.height);
      expect(beyond, what).to.be.at.most(STEP.share * expected.length);
    }

    /** One row a run, the rule on the CPU, gives the same to the bit; real batches give the same sums otherwise. */
    function expectSameTogether(rows: Row[]): void {
      const expected = rows.flatMap((each) => audioOf(alone, [each]));
      audioOf(alone, rows).forEach(({ samples }, i) => {
        expect(largestDifference(samples, expected[i]!.samples), `row ${i}`).to.equal(0);
      });
      const actual = audioOf(batching, rows);
      expect(batching.info().repeatedRuns).to.equal(0);
      actual.forEach(({ samples, durations }, i) => {
        expect(durations).to.deep.equal(expected[i]!.durations);
        expectClose(samples, expected[i]!.samples, `row ${i}`);
        expect(rootMeanSquare(samples)).to.be.greaterThan(0.005);
      });
    }

    it('can be batched, with scales of its own for each row', () => {
      expect(manifest).to.include({ batchable: true, perRowScales: true });
    });

    it('gives rows of a batch of 8 what they give alone', () => {
      const shares = [0.3, 0.5, 0.31, 1, 0.7, 0.2, 0.9, 0.5];
      expectSameTogether(
        shares.map((share, i) => spoken(share, i, { lengthScale: 0.8 + i / 10, noiseScale: i / 8 })),
      );
    });

    it('gives a short row beside a long one what it gives alone', () => {
      const sentence = Array.from(referenceIds(text));
      const long = row([...sentence, ...sentence, ...sentence, ...sentence], { seed: 3 });
      expectSameTogether([spoken(0.2, 1), long]);
    });

    it('gives equal rows of a batch equal samples', () => {
      const [first, , third] = audioOf(batching, [spoken(0.5, 4), spoken(0.6, 5), spoken(0.5, 4)]);
      expectClose(third!.samples, first!.samples, 'the third row');
    });

    it('draws its noise by the seed', function () {
      if (manifest.noise.length === 0) this.skip(); // the prototype's noise is a table of constants
      const changes = { speaker: 0 };
      const [one, again, two] = audioOf(alone, [
        spoken(0.5, 1, changes),
        spoken(0.5, 1, changes),
        spoken(0.5, 2, changes),
      ]);
      expect(largestDifference(one!.samples, again!.samples)).to.equal(0);
      expect(largestDifference(one!.samples, two!.samples)).to.be.greaterThan(0.01);
    });

    it('streams what it gives whole', () => {
      const [whole] = audioOf(alone, [spoken(1, 2)]);
      const stream = alone.stream(spoken(1, 2), { firstFrames: 24, windowFrames: 48 });
      const pieces: Float32Array[] = [];
      for (let piece = stream.next(); piece; piece = stream.next()) pieces.push(piece);
      expect(pieces.length).to.be.greaterThan(manifest.tensors.latent === null ? 0 : 3);
      expect(largestDifference(joined(pieces), whole!.samples)).to.be.at.most(1e-5);
      expect(stream.durations()).to.deep.equal(whole!.durations);
      expect(stream.total()).to.equal(whole!.samples.length);
    });
  });
}
