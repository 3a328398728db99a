import { join } from 'node:path';
import { expect } from 'chai';
import type { AddonVoice, Row } from '../../src/inference/binding.js';
import { audioOf, errorOf, openAddon, row } from './addon.js';
import {
  EMBEDDED_VOICES,
  publishedEnglish,
  publishedSpeakersManifest,
  requireVoice,
  SHARED_VOICES,
} from './published-voice.js';
import { largestDifference, rootMeanSquare } from './signal.js';

/** About two seconds of made-up phonemes, padded as Piper's voices are: `^ _ a _ b … $`. */
const IDS = [1, ...Array.from({ length: 30 }, (_, i) => [0, 14 + ((i * 7) % 30)]).flat(), 0, 2];

describe('native: speaking with the embedded voice', () => {
  let voice: AddonVoice;
  const manifest = publishedEnglish();

  before(
    () => (voice = openAddon().load({ directory: EMBEDDED_VOICES, manifest, device: { provider: 'cpu' } })),
  );
  after(() => voice.close());

  it('gives samples cut exactly by the durations, one per id', () => {
    const [audio] = audioOf(voice, [row(IDS)]);
    expect(audio?.durations).to.have.length(IDS.length);
    const frames = audio?.durations?.reduce((sum, count) => sum + count, 0) ?? 0;
    expect(audio?.samples).to.have.length(frames * manifest.hop);
    expect(audio?.samples.length).to.be.greaterThan(manifest.sampleRate);
  });

  it('gives sound, within the range of samples', () => {
    const samples = audioOf(voice, [row(IDS)])[0]?.samples ?? new Float32Array();
    expect(rootMeanSquare(samples)).to.be.within(0.01, 0.5);
    expect(samples.every((sample) => Math.abs(sample) <= 1)).to.be.true;
  });

  it('speaks slower by the length scale', () => {
    const [normal, slow] = audioOf(voice, [row(IDS), row(IDS, { lengthScale: 2 })]);
    const ratio = (slow?.samples.length ?? 0) / (normal?.samples.length ?? 1);
    expect(ratio).to.be.within(1.7, 2.1);
  });

  it('answers equal rows with equal samples, as published where nothing is drawn', () => {
    const still = row(IDS, { noiseScale: 0 });
    const [first, second] = audioOf(voice, [still, still]);
    expect(largestDifference(first?.samples ?? [], second?.samples ?? [0])).to.equal(0);
  });

  it('speaks 10,000 ids', function () {
    this.timeout(120_000);
    const long = Array.from({ length: 10_000 }, (_, i) => 14 + ((i * 7) % 30));
    const [audio] = audioOf(voice, [row(long)]);
    expect(audio?.durations).to.have.length(10_000);
    expect(audio?.samples.length).to.be.greaterThan(60 * manifest.sampleRate);
  });

  it('speaks a single id', () => {
    expect(audioOf(voice, [row([20])])[0]?.durations).to.have.length(1);
  });

  describe('refuses, naming the argument,', () => {
    const refusal = (rows: unknown) =>
      errorOf('invalid_argument', () => voice.synthesize(rows as Row[])).message;

    it('what is no list of rows', () => {
      for (const rows of [undefined, null, {}, 'rows', []]) expect(refusal(rows)).to.match(/^rows: /);
      expect(refusal([row(IDS), null])).to.match(/^rows\[1\]: expected an object/);
    });

    it('ids that are no Int32Array, none or too many', () => {
      for (const ids of [undefined, IDS, Float32Array.from(IDS), new Int32Array(0), new Int32Array(20_001)]) {
        expect(refusal([{ ...row(IDS), ids }])).to.match(/^rows\[0\]\.ids: /);
      }
    });

    it('ids that the voice does not have', () => {
      expect(refusal([row([1, 256])])).to.match(
        /^rows\[0\]\.ids\[1\]: expected an id from 0 to 255, got 256\./,
      );
      expect(refusal([row(IDS), row([-1])])).to.match(/^rows\[1\]\.ids\[0\]: /);
      expect(refusal([row([2 ** 31 - 1])])).to.contain('2147483647');
    });

    it('scales and seeds out of range', () => {
      for (const [key, values] of [
        ['lengthScale', [NaN, 0, -1, 11, Infinity, '1']],
        ['noiseScale', [NaN, -0.1, 11, undefined]],
        ['noiseW', [NaN, -0.1, 11, null]],
        ['seed', [NaN, -1, 0.5, 2 ** 53, 1n]],
      ] as const) {
        for (const value of values)
          expect(refusal([{ ...row(IDS), [key]: value }])).to.contain(`rows[0].${key}: `);
      }
    });
  });

  it('goes on speaking after refusals', () => {
    errorOf('invalid_argument', () => voice.synthesize([]));
    expect(audioOf(voice, [row(IDS)])).to.have.length(1);
  });
});

describe('native: speaking with several speakers', () => {
  let voice: AddonVoice;

  before(function () {
    requireVoice(this, join(SHARED_VOICES, 'four-speakers.onnx'));
    const manifest = publishedSpeakersManifest('four-speakers.onnx', 4);
    voice = openAddon().load({ directory: SHARED_VOICES, manifest, device: { provider: 'cpu' } });
  });
  after(() => voice?.close());

  it('gives every speaker a voice of its own', () => {
    const audio = audioOf(
      voice,
      [0, 1, 2, 3].map((speaker) => row(IDS, { speaker })),
    );
    const lengths = new Set(audio.map(({ samples }) => samples.length));
    expect(lengths.size).to.be.greaterThan(1);
    for (const { samples } of audio) expect(rootMeanSquare(samples)).to.be.within(0.01, 0.5);
  });

  it('refuses speakers that it does not have', () => {
    for (const speaker of [-1, 4, 0.5, NaN]) {
      const error = errorOf('invalid_argument', () => voice.synthesize([row(IDS, { speaker })]));
      expect(error.message).to.match(/^rows\[0\]\.speaker: /);
    }
  });
});
