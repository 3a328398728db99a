import { expect } from 'chai';
import { join } from 'node:path';
import type { Row } from '../../src/inference/binding.js';
import { preparer } from '../../src/inference/preparer.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import type { SynthesisOptions } from '../../src/inference/row-speaker.js';
import { Synthesizer } from '../../src/inference/scheduler.js';
import { openVoice } from '../../src/voices/open-voice.js';
import type { Voice } from '../../src/voices/voice.js';
import { codeOf } from '../code-of.js';
import { audioOf, openAddon, row } from '../native/addon.js';
import { toyGraph, writeToyVoice } from '../voices/prepare/toy-voice.js';
import { temporaryFolder } from '../temporary-folder.js';
import { ENGLISH } from '../voices/prepared-voices.js';
import { idsOf, SENTENCES } from '../voices/sentences.js';

const OPTIONS: SynthesisOptions = { priority: 'interactive', user: 'ana' };

describe('The scheduler', function () {
  this.timeout(120_000);
  const scratch = temporaryFolder();
  const libraryPath = runtimeLibrary();
  let voice: Voice;
  let synthesizer: Synthesizer;

  const lanes = (count: number) =>
    Array.from({ length: count }, (_, lane) => ({ libraryPath, device: { provider: 'cpu' as const }, lane }));
  const spoken = (sentence: number, changes: Partial<Row> = {}) =>
    row(idsOf(voice.text, SENTENCES[sentence]!), changes);

  before(async () => {
    voice = await openVoice(ENGLISH, preparer({ folder: scratch.path, libraryPath }));
    synthesizer = new Synthesizer(lanes(2), { rows: 1, paddedCost: Infinity, waste: 0 });
    await synthesizer.warm(voice, spoken(0));
  });
  after(async () => {
    await synthesizer.close();
    scratch.clean();
  });

  function direct(rows: Row[]) {
    const { directory, manifest } = voice;
    const lane = openAddon().load({ directory, manifest, device: { provider: 'cpu' } });
    const audio = audioOf(lane, rows);
    lane.close();
    return audio;
  }

  it('gives every row its own samples, whatever else is asked for', async () => {
    const rows = Array.from({ length: 24 }, (_, index) =>
      spoken(index % SENTENCES.length, { lengthScale: 0.8 + index / 50 }),
    );
    const answers = await Promise.all(rows.map((one) => synthesizer.synthesize(voice, one, OPTIONS)));
    const expected = direct(rows);
    answers.forEach(({ samples, durations, inferred, queued }, index) => {
      expect(samples).to.deep.equal(expected[index]!.samples);
      expect(durations).to.deep.equal(expected[index]!.durations);
      expect(inferred).to.be.greaterThan(0);
      expect(queued).to.be.at.least(0);
    });
  });

  it('gives the same rows in batches', async () => {
    const batching = new Synthesizer(lanes(1), { rows: 8, paddedCost: 4000, waste: 1 });
    const rows = Array.from({ length: 9 }, (_, index) => spoken(index % SENTENCES.length));
    const answers = await Promise.all(rows.map((one) => batching.synthesize(voice, one, OPTIONS)));
    expect(answers.map(({ samples }) => samples)).to.deep.equal(direct(rows).map(({ samples }) => samples));
    expect(batching.stats()).to.include({ rows: 9, waiting: 0 });
    expect(batching.stats().batches).to.be.lessThan(9);
    await batching.close();
  });

  it('streams the same samples in pieces', async () => {
    const { pieces, outcome } = synthesizer.stream(
      voice,
      spoken(3),
      { firstFrames: 20, windowFrames: 60 },
      OPTIONS,
    );
    const samples: Buffer[] = [];
    for await (const piece of pieces) samples.push(Buffer.from(piece.buffer));
    const [expected] = direct([spoken(3)]);
    expect(Buffer.concat(samples).equals(Buffer.from(expected!.samples.buffer))).to.equal(true);
    expect(outcome().durations).to.deep.equal(expected!.durations);
  });

  it('has its lane back after a stream, read to the end or not', async () => {
    const single = new Synthesizer(lanes(1), { rows: 1, paddedCost: Infinity, waste: 0 });
    for (let i = 0; i < 2; i++) {
      const { pieces } = single.stream(voice, spoken(3), { firstFrames: 20, windowFrames: 60 }, OPTIONS);
      for await (const piece of pieces) if (i === 1 && piece.length > 0) break;
    }
    expect(await codeOf(single.synthesize(voice, spoken(0), OPTIONS))).to.equal(undefined);
    await single.close();
  });

  it('fails a bad row alone', async () => {
    const rows = [spoken(0), row([1, 0, 9999, 2]), spoken(1)];
    const codes = await Promise.all(rows.map((one) => codeOf(synthesizer.synthesize(voice, one, OPTIONS))));
    expect(codes).to.deep.equal([undefined, 'invalid_argument', undefined]);
  });

  it('fails a stream of a bad row where it is read', async () => {
    const { pieces } = synthesizer.stream(
      voice,
      row([1, 0, 9999, 2]),
      { firstFrames: 20, windowFrames: 60 },
      OPTIONS,
    );
    const read = async () => {
      for await (const piece of pieces) expect.fail(`${piece.length} samples came`);
    };
    expect(await codeOf(read())).to.equal('invalid_argument');
  });

  it('speaks without noise what fails on its noise', async () => {
    const file = writeToyVoice(join(scratch.path, 'voices'), 'fragile', toyGraph({ fragile: true }));
    const fragile = await openVoice(file, preparer({ folder: scratch.path, libraryPath }));
    const ids = [1, 0, 8, 0, 9, 0, 10, 0, 2];
    const calm = await synthesizer.synthesize(fragile, row(ids, { noiseW: 0 }), OPTIONS);
    const failing = row(ids, { noiseW: 2 });
    expect((await synthesizer.synthesize(fragile, failing, OPTIONS)).samples).to.deep.equal(calm.samples);
    const { pieces } = synthesizer.stream(
      fragile,
      failing,
      { firstFrames: 1000, windowFrames: 1000 },
      OPTIONS,
    );
    for await (const piece of pieces) expect(piece).to.deep.equal(calm.samples);
  });

  it('lets a caller leave the queue', async () => {
    const control = new AbortController();
    const all = Array.from({ length: 12 }, (_, index) =>
      codeOf(
        synthesizer.synthesize(
          voice,
          spoken(1),
          index === 9 ? { ...OPTIONS, signal: control.signal } : OPTIONS,
        ),
      ),
    );
    const { waiting } = synthesizer.stats();
    control.abort();
    expect(synthesizer.stats().waiting).to.equal(waiting - 1);
    const codes = await Promise.all(all);
    expect(codes[9]).not.to.equal(undefined);
    expect(codes.filter((code) => code === undefined)).to.have.length(11);
  });

  it('refuses what comes aborted', async () => {
    const signal = AbortSignal.abort();
    expect(await codeOf(synthesizer.synthesize(voice, spoken(0), { ...OPTIONS, signal }))).not.to.equal(
      undefined,
    );
    expect(synthesizer.stats().waiting).to.equal(0);
  });

  it('reports a voice whose files have gone, and speaks on', async () => {
    const gone = { ...voice, directory: join(scratch.path, 'nowhere') };
    expect(await codeOf(synthesizer.synthesize(gone, spoken(0), OPTIONS))).to.equal('model_not_found');
    expect(await codeOf(synthesizer.synthesize(voice, spoken(0), OPTIONS))).to.equal(undefined);
  });

  it('loads a forgotten voice anew', async () => {
    await synthesizer.forget(voice);
    expect(await codeOf(synthesizer.synthesize(voice, spoken(0), OPTIONS))).to.equal(undefined);
  });

  it('rejects what waits, runs or comes when it is closed', async () => {
    const closing = new Synthesizer(lanes(1), { rows: 1, paddedCost: Infinity, waste: 0 });
    const all = Array.from({ length: 5 }, () => codeOf(closing.synthesize(voice, spoken(3), OPTIONS)));
    await closing.close();
    const late = codeOf(closing.synthesize(voice, spoken(0), OPTIONS));
    expect(new Set(await Promise.all([...all, late]))).to.deep.equal(new Set(['closed']));
  });
});
