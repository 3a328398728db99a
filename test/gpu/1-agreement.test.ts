import { expect } from 'chai';
import type { AddonVoice, Row, RowAudio } from '../../src/inference/binding.js';
import { audioOf, row } from '../native/addon.js';
import { decibels, joined, largestDifference, rootMeanSquare } from '../native/signal.js';
import { temporaryFolder } from '../temporary-folder.js';
import { ENGLISH, FOUR_SPEAKERS, JOE } from '../voices/prepared-voices.js';
import { idsOf, SENTENCES } from '../voices/sentences.js';
import { requireVoice } from '../native/published-voice.js';
import { DEVICE, isCuda, VoiceUnderTest, WHY_NOT } from './device-under-test.js';

/** Float32 sums in another order; a sample is in [-1, 1]. */
const TOLERANCE = 1e-3;

/**
 * Networks that make a tone add its phase up over the whole row: after 2,000 periods a rounding moves the highest
 * harmonics by hundredths of their period, which nobody hears (on one CPU, two levels of the runtime's optimisation
 * differ by 2.5e-3 after six seconds). Their samples are held to this many decibels below the speech, and their level
 * every 20 ms to the tolerance.
 */
const DRIFT_DECIBELS = -35;

for (const { name, file, drifts } of [
  { name: 'english', file: ENGLISH, drifts: true },
  { name: 'en_US-joe-medium', file: JOE, drifts: false },
  { name: 'four-speakers', file: FOUR_SPEAKERS, drifts: true },
]) {
  describe(`gpu: ${name} on ${DEVICE.provider}${WHY_NOT}`, function () {
    this.timeout(300_000);
    const scratch = temporaryFolder();
    let voice: VoiceUnderTest;
    let device: AddonVoice;

    before(async function () {
      voice = await VoiceUnderTest.orSkip(this, scratch, requireVoice(this, file));
      device = voice.open();
    });
    after(() => {
      device?.close();
      scratch.clean();
    });

    const spoken = (sentence: number, changes: Partial<Row> = {}) =>
      row(idsOf(voice.text, SENTENCES[sentence % SENTENCES.length]!), changes);
    /** Rows of all lengths, each with its own tempo, noise, speaker and seed. */
    const mixed = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        spoken(index, {
          seed: index,
          lengthScale: 0.8 + (index % 7) / 10,
          noiseScale: (index % 4) / 5,
          speaker: index % voice.prepared.manifest.numSpeakers,
        }),
      );

    /** Equal durations and samples; the test's title then tells the largest difference. */
    function expectAgreement(context: Mocha.Context, actual: RowAudio[], expected: RowAudio[]): void {
      expect(actual).to.have.length(expected.length);
      const differences = actual.map(({ samples, durations }, index) => {
        expect(durations, `durations of row ${index}`).to.deep.equal(expected[index]!.durations);
        return largestDifference(samples, expected[index]!.samples);
      });
      const largest = Math.max(...differences);
      if (context.test) context.test.title += ` (largest difference ${largest.toExponential(1)})`;
      if (drifts) actual.forEach(({ samples }, index) => expectSameSound(samples, expected[index]!.samples));
      else expect(largest).to.be.at.most(TOLERANCE);
    }

    function expectSameSound(actual: Float32Array, expected: Float32Array): void {
      const difference = actual.map((sample, index) => sample - expected[index]!);
      const below = decibels(rootMeanSquare(difference) / rootMeanSquare(expected));
      expect(below, 'decibels of the difference').to.be.at.most(DRIFT_DECIBELS);
      const [ours, theirs] = [actual, expected].map((samples) => levels(samples));
      expect(largestDifference(ours!, theirs!), 'difference of levels').to.be.at.most(TOLERANCE);
    }

    const levels = (samples: Float32Array) =>
      Array.from({ length: Math.floor(samples.length / 480) }, (_, frame) =>
        rootMeanSquare(samples.subarray(frame * 480, (frame + 1) * 480)),
      );

    it('runs where it was asked to', () => {
      expect(device.info().provider).to.equal(DEVICE.provider);
    });

    it('says what the CPU says', function () {
      const cpu = voice.openOnCpu();
      const rows = mixed(12);
      const expected = rows.flatMap((each) => audioOf(cpu, [each]));
      cpu.close();
      const actual = rows.flatMap((each) => audioOf(device, [each]));
      expect(Math.max(...actual.map(({ samples }) => rootMeanSquare(samples)))).to.be.greaterThan(0.01);
      expectAgreement(this, actual, expected);
    });

    for (const count of [2, 8, 33]) {
      it(`gives each of ${count} rows of mixed lengths what it gives alone`, function () {
        const rows = mixed(count);
        const batching = voice.open({}, 64);
        const together = audioOf(batching, rows);
        expect(batching.info().repeatedRuns).to.equal(0);
        batching.close();
        const alone = rows.flatMap((each) => audioOf(device, [each]));
        expectAgreement(this, together, alone);
      });
    }

    it('draws its noise by seed', function () {
      if (voice.prepared.manifest.noise.length === 0) return this.skip(); // a network without noise
      const [one, two, again] = audioOf(device, [
        spoken(1, { seed: 1 }),
        spoken(1, { seed: 2 }),
        spoken(1, { seed: 1 }),
      ]).map(({ samples }) => samples);
      expect(largestDifference(one!, again!)).to.be.at.most(TOLERANCE);
      expect(largestDifference(one!, two!)).to.be.greaterThan(10 * TOLERANCE);
    });

    for (const [firstFrames, windowFrames] of [
      [16, 48],
      [64, 256],
    ] as const) {
      it(`streams the whole in pieces of ${firstFrames}, then ${windowFrames} frames`, function () {
        const stream = device.stream(spoken(3), { firstFrames, windowFrames });
        const pieces: Float32Array[] = [];
        for (let piece = stream.next(); piece; piece = stream.next()) pieces.push(piece);
        const [whole] = audioOf(device, [spoken(3)]);
        const streamed = { samples: joined(pieces), durations: stream.durations() ?? undefined } as RowAudio;
        stream.close();
        expect(pieces.length).to.be.greaterThan(voice.prepared.manifest.vocoderReach > 0 ? 1 : 0);
        expectAgreement(this, [streamed], [whole!]);
      });
    }

    it('stays speech with TF32, which may move a duration by a frame', function () {
      if (!isCuda) return this.skip(); // an option of CUDA's
      const rounded = voice.open({ tf32: true });
      const rows = mixed(12);
      const [actual, expected] = [rounded, device].map((each) => audioOf(each, rows));
      rounded.close();
      actual!.forEach(({ samples }, index) => {
        const other = expected![index]!.samples;
        expect(samples.length / other.length).to.be.within(0.97, 1.03);
        expect(rootMeanSquare(samples) / rootMeanSquare(other)).to.be.within(0.9, 1.1);
      });
      const equal = actual!.filter(
        ({ samples }, i) => samples.length === expected![i]!.samples.length,
      ).length;
      this.test!.title += ` (${equal} of ${rows.length} rows equally long)`;
    });
  });
}
