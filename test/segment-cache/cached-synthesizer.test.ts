import { rm } from 'node:fs/promises';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { concat } from '../../src/audio/waveform.js';
import { readSettings } from '../../src/config.js';
import type { Row, RowAudio } from '../../src/inference/binding.js';
import type { RowStream, SynthesisOptions } from '../../src/inference/row-speaker.js';
import { openLog } from '../../src/log.js';
import { CachedSynthesizer } from '../../src/segment-cache/cached-synthesizer.js';
import { DiskSegments } from '../../src/segment-cache/disk-segments.js';
import { SegmentKeys } from '../../src/segment-cache/segment-key.js';
import { openStudio, type Studio } from '../../src/studio.js';
import type { Voice } from '../../src/voices/voice.js';
import { row } from '../native/addon.js';
import { windowedManifest, writeWindowedVoice } from '../native/windowed-voice.js';
import { makeDataDir } from '../prepared-folder.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { idsOf, SENTENCES } from '../voices/sentences.js';

const ANA: SynthesisOptions = { priority: 'batch', user: 'ana' };
const BOB: SynthesisOptions = { priority: 'interactive', user: 'bob' };
const WINDOWS = { firstFrames: 8, windowFrames: 16 };
const KEYS = new SegmentKeys('the engine of the tests', () => '');

describe('The segment cache', function () {
  this.timeout(120_000);
  let dataDir: string;
  let studio: Studio;
  let voice: Voice;
  /** Its audio comes in pieces, which nadia's does not. */
  let windowed: Voice;
  let cached: CachedSynthesizer;
  let seed = 0;

  before(async () => {
    dataDir = await makeDataDir();
    studio = await openStudio(
      readSettings({ dataDir, devices: 'cpu:1', segmentCache: 'off' }),
      openLog('silent'),
    );
    voice = studio.catalogue.resolve('nadia').voice;
    await studio.warm(voice);
    windowed = { ...voice, directory: writeWindowedVoice(dataDir), manifest: windowedManifest };
  });
  after(async () => {
    await studio.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(() => {
    cached = open();
  });

  const open = (disk?: DiskSegments) =>
    new CachedSynthesizer({
      ...{ speaker: studio.synthesizer, keys: KEYS, memoryLimit: 1e8 },
      ...(disk && { disk }),
    });
  /** A row that was never spoken before. */
  const fresh = (sentence = 1) => row(idsOf(voice.text, SENTENCES[sentence]!), { seed: ++seed });
  const ask = (one: Row, options = ANA, speaker = cached) => speaker.synthesize(voice, one, options);
  const rows = () => studio.synthesizer.stats().rows;
  const bitsOf = ({ samples, durations }: RowAudio) => ({
    samples: Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64'),
    durations: durations && [...durations],
  });

  async function heard({ pieces, outcome }: RowStream): Promise<RowAudio> {
    const heardSoFar: Float32Array[] = [];
    for await (const piece of pieces) heardSoFar.push(piece);
    const { durations } = outcome();
    return { samples: concat(heardSoFar), ...(durations && { durations }) };
  }

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => error,
    );

  /** Rows that keep the only lane busy; each is asked for by the background, past the cache. */
  const occupy = (count: number) =>
    Array.from({ length: count }, () => studio.synthesizer.synthesize(voice, fresh(3), ANA));

  it('answers what was spoken before with the same bits, and has no lane speak', async () => {
    const wanted = fresh();
    const direct = await studio.synthesizer.synthesize(voice, wanted, ANA);
    const before = rows();
    const answers = [await ask(wanted), await ask(wanted, BOB), await ask(wanted)];
    for (const answer of answers) expect(bitsOf(answer)).to.deep.equal(bitsOf(direct));
    expect(rows() - before).to.equal(1);
    expect(cached.stats().answers).to.deep.equal({ memory: 2, disk: 0, joined: 0, miss: 1 });
  });

  it('gives each row its own, however alike they are', async () => {
    const one = fresh();
    const others = [
      one,
      { ...one, seed: 1e9 },
      { ...one, lengthScale: 1.01 },
      { ...one, noiseScale: 0 },
      { ...one, noiseW: 0.1 },
    ];
    const direct = await Promise.all(others.map((other) => studio.synthesizer.synthesize(voice, other, ANA)));
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(others.map((other) => ask(other)));
      expect(answers.map(bitsOf)).to.deep.equal(direct.map(bitsOf));
    }
    expect(cached.stats().answers).to.include({ memory: 5, miss: 5 });
  });

  it('has what many ask for at once spoken once', async () => {
    const wanted = fresh();
    const before = rows();
    const answers = await Promise.all([ask(wanted), ask(wanted), ask(wanted, BOB), ask(wanted, BOB)]);
    for (const answer of answers) expect(bitsOf(answer)).to.deep.equal(bitsOf(answers[0]));
    expect(rows() - before).to.equal(1);
    expect(cached.stats().answers).to.include({ joined: 3, miss: 1 });
  });

  it('speaks for the second caller when the first leaves the queue', async () => {
    const before = rows();
    const busy = occupy(2);
    const control = new AbortController();
    const wanted = fresh();
    const first = failureOf(ask(wanted, { ...ANA, signal: control.signal }));
    const second = ask(wanted, BOB);
    const reason = new Error('gone');
    control.abort(reason);
    expect(await first).to.equal(reason);
    const answer = await second;
    await Promise.all(busy);
    expect(rows() - before).to.equal(3);
    expect(bitsOf(answer)).to.deep.equal(bitsOf(await studio.synthesizer.synthesize(voice, wanted, ANA)));
  });

  it('speaks for the second caller when the first leaves while a lane speaks', async () => {
    const control = new AbortController();
    const wanted = fresh(3);
    const before = rows();
    const first = failureOf(ask(wanted, { ...ANA, signal: control.signal }));
    const second = ask(wanted, BOB);
    control.abort(new Error('gone'));
    expect(await first).to.have.property('message', 'gone');
    expect((await second).samples).to.have.length.greaterThan(0);
    expect(rows() - before).to.equal(1);
  });

  it('keeps what a lane was speaking when everybody left', async () => {
    const control = new AbortController();
    const wanted = fresh(3);
    const before = rows();
    const first = failureOf(ask(wanted, { ...ANA, signal: control.signal }));
    control.abort(new Error('gone'));
    await first;
    await ask(wanted);
    expect(rows() - before).to.equal(1);
  });

  it('has nothing spoken when everybody leaves the queue', async () => {
    const busy = occupy(3);
    const control = new AbortController();
    const wanted = fresh();
    const callers = [ANA, BOB].map((who) => failureOf(ask(wanted, { ...who, signal: control.signal })));
    control.abort(new Error('gone'));
    await Promise.all(callers);
    await Promise.all(busy);
    const before = rows();
    await ask(wanted);
    expect(rows() - before).to.equal(1);
  });

  it('refuses a caller who has left before asking', async () => {
    const failure = await failureOf(ask(fresh(), { ...ANA, signal: AbortSignal.abort(new Error('gone')) }));
    expect(failure).to.have.property('message', 'gone');
    expect(cached.stats().answers.miss).to.equal(0);
  });

  for (const [who, options] of Object.entries<SynthesisOptions>({
    'a waiting caller': BOB,
    'another user': { ...BOB, priority: 'batch' },
  })) {
    it(`does not let ${who} wait at the place that the background has in the queue`, async () => {
      const before = rows();
      const busy = occupy(16);
      const wanted = fresh();
      const background = ask(wanted, ANA);
      await ask(wanted, options);
      // One is spoken and one is next, whatever the moment; all others are still to come.
      expect(studio.synthesizer.stats().waiting).to.be.at.least(11);
      await background;
      expect(studio.synthesizer.stats().waiting).to.be.at.least(10);
      await Promise.all(busy);
      expect(rows() - before).to.be.at.most(17);
    });
  }

  const longRow = () => row(new Int32Array(300).fill(7), { seed: ++seed });

  it('gives streams the same samples, fresh, joined and kept', async () => {
    const wanted = longRow();
    const direct = bitsOf(await studio.synthesizer.synthesize(windowed, wanted, ANA));
    const before = rows();
    const stream = () => heard(cached.stream(windowed, wanted, WINDOWS, BOB));
    const whole = () => cached.synthesize(windowed, wanted, BOB);
    const together = await Promise.all([stream(), stream(), whole()]);
    const later = await Promise.all([stream(), whole()]);
    for (const answer of [...together, ...later]) expect(bitsOf(answer)).to.deep.equal(direct);
    expect(rows() - before).to.equal(1);
  });

  it('lets a stream come piece by piece, to everybody', async () => {
    const wanted = longRow();
    const count = async ({ pieces }: RowStream) => {
      let heardSoFar = 0;
      for await (const piece of pieces) heardSoFar += piece.length > 0 ? 1 : 0;
      return heardSoFar;
    };
    const stream = () => count(cached.stream(windowed, wanted, WINDOWS, BOB));
    const counts = await Promise.all([stream(), stream()]);
    expect(counts[0]).to.be.greaterThan(10);
    expect(counts[1]).to.equal(counts[0]);
  });

  it('goes on for others when one stops reading a stream', async () => {
    const wanted = longRow();
    const first = cached.stream(windowed, wanted, WINDOWS, ANA);
    const second = heard(cached.stream(windowed, wanted, WINDOWS, BOB));
    for await (const piece of first.pieces) if (piece.length > 0) break;
    const direct = await studio.synthesizer.synthesize(windowed, wanted, ANA);
    expect(bitsOf(await second)).to.deep.equal(bitsOf(direct));
  });

  it('gives the whole to whoever asks after a stream that nobody heard to its end', async () => {
    const wanted = longRow();
    const { pieces } = cached.stream(windowed, wanted, WINDOWS, ANA);
    for await (const piece of pieces) if (piece.length > 0) break;
    const answer = await cached.synthesize(windowed, wanted, BOB);
    const direct = await studio.synthesizer.synthesize(windowed, wanted, ANA);
    expect(bitsOf(answer)).to.deep.equal(bitsOf(direct));
  });

  it('fails for all who asked, keeps no failure, and tries again', async () => {
    const bad = row([1, 0, 9999, 2], { seed: ++seed });
    for (let round = 1; round <= 2; round++) {
      const failures = await Promise.all([failureOf(ask(bad)), failureOf(ask(bad, BOB))]);
      expect(failures.map((failure) => (failure as { code: string }).code)).to.deep.equal([
        ...['invalid_argument', 'invalid_argument'],
      ]);
      expect(cached.stats().answers.miss).to.equal(round);
    }
    expect(cached.stats().memory.entries).to.equal(0);
  });

  describe('with a disk', () => {
    let folder: TemporaryFolder;
    let disk: DiskSegments;

    beforeEach(() => {
      folder = temporaryFolder();
      disk = openDisk();
      cached = open(disk);
    });
    afterEach(() => folder.clean());

    const openDisk = () => new DiskSegments({ folder: folder.path, limit: 1e8, warn: () => undefined });

    /** Has it stored, which takes being asked for twice; what was spoken. */
    async function store(wanted: Row): Promise<RowAudio> {
      const spoken = await ask(wanted);
      await ask(wanted);
      await disk.close();
      return spoken;
    }

    it('spares it what is asked for once', async () => {
      await ask(fresh());
      await disk.close();
      expect(readdirSync(folder.path)).to.deep.equal([]);
    });

    it('answers after a restart what was asked for twice', async () => {
      const wanted = fresh();
      const spoken = await store(wanted);
      const before = rows();
      const restarted = open(openDisk());
      const answers = await Promise.all([ask(wanted, ANA, restarted), ask(wanted, BOB, restarted)]);
      for (const answer of answers) expect(bitsOf(answer)).to.deep.equal(bitsOf(spoken));
      await ask(wanted, ANA, restarted);
      expect(rows() - before).to.equal(0);
      expect(restarted.stats().answers).to.deep.equal({ memory: 1, disk: 1, joined: 1, miss: 0 });
    });

    it('streams from it, too', async () => {
      const wanted = fresh(3);
      const spoken = await store(wanted);
      const restarted = open(openDisk());
      expect(bitsOf(await heard(restarted.stream(voice, wanted, WINDOWS, BOB)))).to.deep.equal(
        bitsOf(spoken),
      );
    });

    it('has spoken again what has suffered on it', async () => {
      const wanted = fresh();
      const spoken = await store(wanted);
      const [name] = readdirSync(folder.path);
      writeFileSync(join(folder.path, name!), 'what is left of it');
      const restarted = open(openDisk());
      const answers = await Promise.all([ask(wanted, ANA, restarted), ask(wanted, BOB, restarted)]);
      for (const answer of answers) expect(bitsOf(answer)).to.deep.equal(bitsOf(spoken));
      expect(restarted.stats().answers).to.include({ disk: 0, miss: 1 });
    });

    it('lets a caller leave while it is looked up', async () => {
      const wanted = fresh();
      await store(wanted);
      const restarted = open(openDisk());
      const control = new AbortController();
      const first = failureOf(ask(wanted, { ...ANA, signal: control.signal }, restarted));
      control.abort(new Error('gone'));
      expect(await first).to.have.property('message', 'gone');
      expect((await ask(wanted, BOB, restarted)).samples).to.have.length.greaterThan(0);
    });
  });
});
