import { expect } from 'chai';
import type { AddonVoice, DeviceSpec, Row } from '../../src/inference/binding.js';
import { audioOf, openAddon, row } from './addon.js';
import { largestDifference } from './signal.js';
import { suiteFolder } from './small-voice.js';
import { windowedManifest, writeWindowedVoice, type WindowedChanges } from './windowed-voice.js';

const folder = suiteFolder();
const BUCKETS = [32, 64, 128];

/** A row of `count` ids, none of them padding. */
function rowOf(count: number, seed = 1): Row {
  return row(
    Array.from({ length: count }, (_, i) => 1 + ((i * 37 + count * 11) % 999)),
    { seed },
  );
}

function load(device: DeviceSpec, changes: WindowedChanges = {}): AddonVoice {
  return openAddon().load({
    directory: writeWindowedVoice(folder(), changes),
    manifest: windowedManifest,
    device,
    rowsPerRun: 8,
    buckets: BUCKETS,
  });
}

describe('native: runs of few shapes in the same memory, as CUDA graphs need them', () => {
  let free: AddonVoice;
  let fixed: AddonVoice;

  before(() => {
    free = load({ provider: 'cpu' });
    fixed = load({ provider: 'cpu', graphs: true }, { lengths: BUCKETS });
  });
  after(() => [free, fixed].forEach((voice) => voice?.close()));

  for (const count of [1, 2, 5, 7, 8]) {
    it(`give ${count} rows what any run gives, time after time`, () => {
      for (let seed = 0; seed < 4; seed++) {
        const rows = Array.from({ length: count }, (_, i) =>
          rowOf(32 + ((i * 61 + seed * 17) % 350), i + seed),
        );
        const [actual, expected] = [audioOf(fixed, rows), audioOf(free, rows)];
        actual.forEach(({ samples, durations }, i) => {
          expect(durations).to.deep.equal(expected[i]!.durations);
          expect(largestDifference(samples, expected[i]!.samples)).to.be.at.most(1e-6);
        });
      }
      expect(fixed.info().repeatedRuns).to.equal(0);
      expect(fixed.takeNotes()).to.deep.equal([]);
    });
  }

  it('leave what is no bucket to ordinary runs', () => {
    const voice = load({ provider: 'cpu', graphs: true });
    for (const count of [5, 32, 7, 31, 64]) {
      const [actual, expected] = [audioOf(voice, [rowOf(count)]), audioOf(free, [rowOf(count)])];
      expect(largestDifference(actual[0]!.samples, expected[0]!.samples)).to.be.at.most(1e-6);
    }
    voice.close();
  });

  it('are streamed between, and memory is given back between, without a change', () => {
    const speak = () => audioOf(fixed, [rowOf(100), rowOf(128), rowOf(64)]).map(({ samples }) => samples);
    const before = speak();
    const stream = fixed.stream(rowOf(100), {
      firstFrames: 32,
      windowFrames: 64 - 2 * windowedManifest.vocoderReach,
    });
    try {
      for (let piece = stream.next(); piece; piece = stream.next());
    } catch {
      // A window of another length, which this vocoder fails at.
    }
    stream.close();
    fixed.release();
    speak().forEach((samples, i) => expect(largestDifference(samples, before[i]!)).to.equal(0));
  });

  it('that the device refuses are run as ever, and a note says so', () => {
    // 5 windows would be a run of 6.
    const voice = load({ provider: 'cpu', graphs: true }, { windows: [1, 5] });
    const rows = [32, 32, 32, 32, 32].map(rowOf);
    const expected = audioOf(free, rows);
    audioOf(voice, [rowOf(32)]);
    for (let call = 0; call < 2; call++) {
      audioOf(voice, rows).forEach(({ samples }, i) =>
        expect(largestDifference(samples, expected[i]!.samples)).to.be.at.most(1e-6),
      );
    }
    expect(voice.info().repeatedRuns).to.equal(0);
    const notes = voice.takeNotes();
    expect(notes).to.have.length(1);
    expect(notes[0]).to.match(/^CUDA graphs are no longer used: vocoder\.onnx failed/);
    expect(voice.takeNotes()).to.deep.equal([]);
    voice.close();
  });
});
