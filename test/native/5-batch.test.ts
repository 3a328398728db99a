import { expect } from 'chai';
import type { AddonVoice, LoadRequest, Row, RowAudio } from '../../src/inference/binding.js';
import { audioOf, errorOf, openAddon, row } from './addon.js';
import { joined, largestDifference, rootMeanSquare } from './signal.js';
import { suiteFolder } from './small-voice.js';
import { windowedManifest, writeWindowedVoice, type WindowedChanges } from './windowed-voice.js';

const folder = suiteFolder();

/** A row of `count` ids, none of them padding. */
function rowOf(count: number, changes: Partial<Row> = {}): Row {
  return row(
    Array.from({ length: count }, (_, i) => 1 + ((i * 37 + count * 11) % 999)),
    changes,
  );
}

/** Speaks rows in real batches: a run that fails and is repeated row by row would prove nothing. */
function together(voice: AddonVoice, rows: Row[]): RowAudio[] {
  const audio = audioOf(voice, rows);
  expect(voice.info().repeatedRuns).to.equal(0);
  return audio;
}

function expectEqualAudio(
  actual: readonly RowAudio[],
  expected: readonly RowAudio[],
  tolerance: number,
): void {
  expect(actual).to.have.length(expected.length);
  actual.forEach((audio, i) => {
    expect(audio.durations, `durations of row ${i}`).to.deep.equal(expected[i]?.durations);
    expect(largestDifference(audio.samples, expected[i]?.samples ?? []), `row ${i}`).to.be.at.most(tolerance);
  });
}

describe('native: a batch, with a vocoder that shows every misplaced window', () => {
  let alone: AddonVoice;
  let batching: AddonVoice;

  before(() => {
    const request = {
      directory: writeWindowedVoice(folder()),
      manifest: windowedManifest,
      device: { provider: 'cpu' },
    } as const;
    alone = openAddon().load(request);
    batching = openAddon().load({ ...request, rowsPerRun: 8 });
  });
  after(() => [alone, batching].forEach((voice) => voice?.close()));

  for (const lengths of [
    [1],
    [1, 2, 3, 4, 5],
    [50, 50, 50, 50],
    [50, 51, 52, 53, 54, 49],
    [10, 300, 20],
    [400, 399, 1, 25, 24, 23, 200, 100],
    [30, 31, 90, 33, 120, 35, 36, 37, 38, 300, 40],
  ]) {
    it(`gives each row what it gives alone: ${lengths.join(', ')} ids`, () => {
      const rows = lengths.map((count, i) => rowOf(count, { seed: i, noiseScale: i / 10 }));
      const expected = rows.flatMap((each) => audioOf(alone, [each]));
      expect(expected.map(({ samples }) => samples.length / windowedManifest.hop)).to.deep.equal(lengths);
      expectEqualAudio(together(batching, rows), expected, 1e-6);
    });
  }

  it('gives the same by any chunking of a hundred rows of all lengths', () => {
    const rows = Array.from({ length: 100 }, (_, i) => rowOf(1 + ((i * 53) % 150), { seed: i }));
    expectEqualAudio(together(batching, rows), audioOf(alone, rows), 1e-6);
  });

  it('draws noise by seed: equal seeds equal, other seeds other samples', () => {
    const rows = [
      rowOf(60, { seed: 1 }),
      rowOf(60, { seed: 2 }),
      rowOf(60, { seed: 1 }),
      rowOf(60, { seed: 2 ** 53 - 1 }),
    ];
    const [one, two, again, last] = together(batching, rows).map(({ samples }) => samples);
    expect(largestDifference(one!, again!)).to.equal(0);
    for (const other of [two!, last!]) expect(largestDifference(one!, other)).to.be.greaterThan(0.01);
  });

  it('tells seeds apart that differ only beyond 32 bits', () => {
    const [low, high] = audioOf(alone, [rowOf(60, { seed: 5 }), rowOf(60, { seed: 5 + 2 ** 32 })]);
    expect(largestDifference(low!.samples, high!.samples)).to.be.greaterThan(0.01);
  });

  it('draws none at noise scale 0', () => {
    const [one, two] = audioOf(alone, [
      rowOf(60, { seed: 1, noiseScale: 0 }),
      rowOf(60, { seed: 2, noiseScale: 0 }),
    ]);
    expect(largestDifference(one!.samples, two!.samples)).to.equal(0);
  });
});

describe('native: buckets, with a vocoder that fails at any other length', () => {
  const BUCKETS = [32, 64, 128];
  const load = (changes: Partial<LoadRequest>, voice: WindowedChanges = {}) =>
    openAddon().load({
      directory: writeWindowedVoice(folder(), voice),
      manifest: windowedManifest,
      device: { provider: 'cpu' },
      ...changes,
    });

  for (const lengths of [[32], [33, 64, 65], [390, 128, 100, 32, 50], [200, 201, 202, 203, 204]]) {
    it(`are the only lengths of windows: ${lengths.join(', ')} ids`, () => {
      const free = load({});
      const bucketed = load({ buckets: BUCKETS, rowsPerRun: 4 }, { lengths: BUCKETS });
      const rows = lengths.map((count, i) => rowOf(count, { seed: i }));
      expectEqualAudio(together(bucketed, rows), audioOf(free, rows), 1e-6);
      [free, bucketed].forEach((voice) => voice.close());
    });
  }

  it('leave rows that are shorter than all of them as they are', () => {
    const [free, bucketed] = [load({}), load({ buckets: BUCKETS, rowsPerRun: 4 })];
    const rows = [1, 5, 31, 390].map((count) => rowOf(count));
    expectEqualAudio(together(bucketed, rows), audioOf(free, rows), 1e-6);
    [free, bucketed].forEach((voice) => voice.close());
  });

  it('that would be mostly margin are left out', () => {
    const bucketed = load({ buckets: [8, 12, 64] }, { lengths: [64] });
    expect(audioOf(bucketed, [rowOf(100)])[0]!.samples).to.have.length(100 * windowedManifest.hop);
    bucketed.close();
  });

  it('are shed from the largest where memory does not suffice', () => {
    const [free, scarce] = [load({}), load({ buckets: [32, 256] }, { frames: 200 })];
    expectEqualAudio(audioOf(scarce, [rowOf(390)]), audioOf(free, [rowOf(390)]), 1e-6);
    [free, scarce].forEach((voice) => voice.close());
  });

  it('are refused where they are no counts of frames', () => {
    for (const wrong of [[0], [1.5], [64, -1], ['64'], [1e9]]) {
      const error = errorOf('invalid_argument', () => load({ buckets: wrong as number[] }));
      expect(error.message).to.match(/^request\.buckets\[[01]\]: /);
    }
  });
});

describe('native: a stream, with a vocoder that shows every misplaced window', () => {
  let voice: AddonVoice;

  before(() => {
    const request = {
      directory: writeWindowedVoice(folder()),
      manifest: windowedManifest,
      device: { provider: 'cpu' },
    } as const;
    voice = openAddon().load(request);
  });
  after(() => voice?.close());

  for (const [firstFrames, windowFrames] of [
    [1, 1],
    [3, 7],
    [32, 64],
    [400, 1],
    [1000, 1000],
  ] as const) {
    it(`gives the whole row in pieces of ${firstFrames}, then ${windowFrames} frames`, () => {
      for (const count of [1, 4, 65, 400]) {
        const [whole] = audioOf(voice, [rowOf(count)]);
        const stream = voice.stream(rowOf(count), { firstFrames, windowFrames });
        const pieces: Float32Array[] = [];
        for (let piece = stream.next(); piece; piece = stream.next()) pieces.push(piece);
        expect(pieces[0]).to.have.length(Math.min(firstFrames, count) * windowedManifest.hop);
        expect(largestDifference(joined(pieces), whole!.samples)).to.be.at.most(1e-6);
        expect(stream.total()).to.equal(whole!.samples.length);
        expect(stream.durations()).to.deep.equal(whole!.durations);
        expect(stream.next()).to.be.null;
        stream.close();
      }
    });
  }
});

describe('native: the noise', () => {
  it('has the mean, the deviation and the tails of a normal distribution, and neighbours that do not correlate', () => {
    const voice = openAddon().load({
      directory: writeWindowedVoice(folder()),
      // The latent is the mean (its ids are almost 0) plus the noise; read as if it were the audio.
      manifest: latentAsAudio(),
      device: { provider: 'cpu' },
    });
    const rows = Array.from({ length: 64 }, (_, seed) =>
      row(new Array<number>(400).fill(1), { seed, noiseScale: 1 }),
    );
    const noise = joined(audioOf(voice, rows).map(({ samples }) => samples.map((sample) => sample - 0.001)));
    voice.close();

    const mean = noise.reduce((sum, value) => sum + value, 0) / noise.length;
    const products = noise.reduce((sum, value, i) => sum + value * (noise[i + 1] ?? 0), 0) / noise.length;
    const beyond = (limit: number) => noise.filter((value) => Math.abs(value) > limit).length / noise.length;
    expect(noise).to.have.length(64 * 3 * 400);
    expect(mean).to.be.within(-0.015, 0.015); // four standard errors of 76,800 draws
    expect(rootMeanSquare(noise)).to.be.within(0.99, 1.01);
    expect(products).to.be.within(-0.015, 0.015);
    expect(beyond(1)).to.be.within(0.31, 0.325); // 0.3173
    expect(beyond(2)).to.be.within(0.042, 0.049); // 0.0455
    expect(beyond(3)).to.be.within(0.0018, 0.0036); // 0.0027
  });
});

/** The first two stages alone: their latent [1, 3, frames] is taken for 3 samples per frame. */
function latentAsAudio(): typeof windowedManifest {
  const { tensors, stages } = windowedManifest;
  return {
    ...windowedManifest,
    hop: 3,
    stages: stages.slice(0, 2),
    tensors: { ...tensors, latent: null, audio: 'latent' },
    vocoderReach: 0,
  };
}
