import { expect } from 'chai';
import type { AddonVoice, Row, RowAudio } from '../../src/inference/binding.js';
import { BUCKETS } from '../../src/inference/tuning/setting.js';
import { audioOf, errorOf, row } from '../native/addon.js';
import { requireVoice } from '../native/published-voice.js';
import { largestDifference } from '../native/signal.js';
import { temporaryFolder } from '../temporary-folder.js';
import { JOE } from '../voices/prepared-voices.js';
import { idsOf, SENTENCES } from '../voices/sentences.js';
import { DEVICE, isCuda, usedDeviceMemory, VoiceUnderTest, WHY_NOT } from './device-under-test.js';

/** Float32 sums in another order; a sample is in [-1, 1]. */
const TOLERANCE = 1e-3;
const ROWS = 16;

describe(`gpu: options of ${DEVICE.provider}${WHY_NOT}`, function () {
  this.timeout(600_000);
  const scratch = temporaryFolder();
  let voice: VoiceUnderTest;
  let rows: Row[];
  let expected: RowAudio[];

  before(async function () {
    voice = await VoiceUnderTest.orSkip(this, scratch, requireVoice(this, JOE));
    rows = Array.from({ length: ROWS }, (_, seed) =>
      row(idsOf(voice.text, SENTENCES[seed % SENTENCES.length]!), { seed, lengthScale: 0.8 + seed / 20 }),
    );
    const plain = voice.open({}, ROWS);
    expected = audioOf(plain, rows);
    plain.close();
  });
  after(() => scratch.clean());

  function expectSpeech(engine: AddonVoice, title: Mocha.Runnable): void {
    const differences = audioOf(engine, rows).map(({ samples, durations }, index) => {
      expect(durations, `durations of row ${index}`).to.deep.equal(expected[index]!.durations);
      return largestDifference(samples, expected[index]!.samples);
    });
    title.title += ` (largest difference ${Math.max(...differences).toExponential(1)})`;
    expect(Math.max(...differences)).to.be.at.most(TOLERANCE);
    expect(engine.info().repeatedRuns).to.equal(0);
  }

  it('that record vocoder runs and replay them change nothing, and are not refused', function () {
    const engine = voice.open({ graphs: true }, ROWS, BUCKETS);
    // A shape's first runs are recorded, the later ones replayed, each on other rows than were recorded.
    for (let turn = 0; turn < 4; turn++) {
      audioOf(engine, [...rows.slice(turn), ...rows.slice(0, turn)].slice(0, 4 + turn));
    }
    expectSpeech(engine, this.test!);
    expectSpeech(engine, this.test!);
    expect(engine.takeNotes()).to.deep.equal([]);
    engine.close();
  });

  it('that record vocoder runs leave streams as they are', function () {
    const engine = voice.open({ graphs: true }, ROWS, BUCKETS);
    audioOf(engine, rows);
    const stream = engine.stream(rows[3]!, { firstFrames: 32, windowFrames: 128 });
    const pieces: Float32Array[] = [];
    for (let piece = stream.next(); piece; piece = stream.next()) pieces.push(piece);
    stream.close();
    expect(
      largestDifference(
        pieces.flatMap((piece) => [...piece]),
        expected[3]!.samples,
      ),
    ).to.be.at.most(TOLERANCE);
    expectSpeech(engine, this.test!);
    engine.close();
  });

  for (const [name, options] of [
    ['page-locked memory', { pinned: true }],
    ['pageable memory', { pinned: false }],
    ['the encoder on the CPU', { encoderOnCpu: true }],
    ['an arena in powers of two', { providerOptions: { arena_extend_strategy: 'kNextPowerOfTwo' } }],
    ['one-dimensional convolutions as they are', { providerOptions: { cudnn_conv1d_pad_to_nc1d: '0' } }],
    ['a small workspace', { providerOptions: { cudnn_conv_use_max_workspace: '0' } }],
  ] as const) {
    it(`speak the same with ${name}`, function () {
      if (!isCuda) return this.skip(); // options of CUDA's
      const engine = voice.open(options, ROWS);
      expectSpeech(engine, this.test!);
      expect(engine.takeNotes()).to.deep.equal([]);
      engine.close();
    });
  }

  it('that the provider does not know are refused by name', function () {
    if (!isCuda) return this.skip(); // options of CUDA's
    const error = errorOf('device_unavailable', () =>
      voice.open({ providerOptions: { no_such_option: '1' } }),
    );
    expect(error.message).to.include('no_such_option');
  });

  it('aside, memory that a large batch has taken is given back, and the voice speaks on', function () {
    const engine = voice.open({}, ROWS);
    audioOf(engine, [rows[0]!]);
    const before = usedDeviceMemory();
    audioOf(
      engine,
      rows.map((each) => ({ ...each, lengthScale: 4 })),
    );
    const most = usedDeviceMemory();
    engine.release();
    const after = usedDeviceMemory();
    expectSpeech(engine, this.test!);
    engine.close();
    if (before === undefined || most === undefined || after === undefined) return; // no nvidia-smi tells the memory
    this.test!.title += ` (${[before, most, after].map((bytes) => Math.round(bytes / 2 ** 20)).join(', ')} MiB)`;
    expect(after - before).to.be.lessThan((most - before) / 2);
  });
});
