import { expect } from 'chai';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparer } from '../../../src/inference/preparer.js';
import { runtimeLibrary } from '../../../src/inference/runtime-library.js';
import { Synthesizer } from '../../../src/inference/scheduler.js';
import { trialEngine } from '../../../src/inference/trial-engine.js';
import { planLanes } from '../../../src/inference/tuning/plan-lanes.js';
import { referenceRows } from '../../../src/inference/tuning/reference-rows.js';
import { defaultSetting } from '../../../src/inference/tuning/setting.js';
import { subjectOf } from '../../../src/inference/tuning/subject.js';
import { peakMemory, tune, type TuneRequest } from '../../../src/inference/tuning/tune.js';
import { TuningStore, type Tuning } from '../../../src/inference/tuning/tuning-store.js';
import { openVoice } from '../../../src/voices/open-voice.js';
import { readPiperVoice } from '../../../src/voices/piper.js';
import { prepareVoice } from '../../../src/voices/prepare/prepare.js';
import { tuneSteps } from '../../../src/voices/prepare/tune-steps.js';
import type { Voice } from '../../../src/voices/voice.js';
import { openAddon } from '../../native/addon.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { toyGraph, writeToyVoice } from '../../voices/prepare/toy-voice.js';

const CPU = { provider: 'cpu' } as const;

describe('Tuning a voice', function () {
  this.timeout(180_000);
  const scratch = temporaryFolder();
  const libraryPath = runtimeLibrary();
  let voice: Voice;
  let request: TuneRequest;
  let tuning: Tuning;

  before(async () => {
    const file = writeToyVoice(join(scratch.path, 'voices'), 'toy', toyGraph());
    voice = await openVoice(file, preparer({ folder: scratch.path, libraryPath }));
    request = { voice, device: CPU, libraryPath, runtime: '1', rounds: 3 };
    tuning = await tune(request);
  });
  after(() => scratch.clean());

  it('measures every setting in every round unless it is far behind, and the first twice', () => {
    expect(tuning.rounds).to.have.length(tuning.settings.length);
    expect([tuning.rounds[0], tuning.again].map((rounds) => rounds!.length)).to.deep.equal([3, 3]);
    for (const rounds of [...tuning.rounds, tuning.again]) {
      expect(rounds.length).to.be.within(1, 3);
      for (const { throughput, latency } of rounds) {
        expect(throughput).to.be.greaterThan(0);
        expect(latency).to.be.greaterThan(0);
      }
    }
    expect(tuning.gains).to.have.length(tuning.settings.length);
  });

  it('tells the memory that a setting takes', async () => {
    expect(await peakMemory(request, tuning.settings[0]!)).to.be.greaterThan(10_000_000);
  });

  it('tells why a voice cannot be measured', async () => {
    const gone = { ...voice, directory: join(scratch.path, 'nowhere') };
    const error = await tune({ ...request, voice: gone }).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'model_not_found');
  });

  it('ends when nobody wants it any more', async () => {
    const control = new AbortController();
    const measuring = tune({ ...request, signal: control.signal }).catch((reason: unknown) => reason);
    control.abort();
    expect(await measuring).to.have.property('name', 'AbortError');
  });

  describe('is remembered', () => {
    const store = new TuningStore(join(scratch.path, 'tuning'));
    const plan = (devices: string[], version = '1') =>
      planLanes({
        ...{ devices, libraryPath, voice, store, opens: () => false },
        runtime: { version, providers: ['CPUExecutionProvider'] },
      });

    before(() => store.keep({ ...tuning, index: tuning.settings.length - 1 }));

    it('and decides where devices are chosen automatically', async () => {
      const chosen = tuning.settings.at(-1)!;
      const { setups, limits, devices, unmeasured } = await plan(['auto']);
      expect(unmeasured).to.equal(undefined);
      expect(setups).to.have.length(chosen.lanes);
      expect(setups[0]).to.include({ rowsPerRun: chosen.rows });
      expect(limits.rows).to.equal(chosen.rows);
      expect(devices[0]).to.include({ lanes: chosen.lanes });
    });

    it('and decides nothing where devices are named', async () => {
      const { setups, limits, unmeasured } = await plan(['cpu:3']);
      expect(setups).to.have.length(3);
      expect(limits.rows).to.equal(1);
      expect(unmeasured).to.equal(undefined);
    });

    it('for this voice, runtime and machine alone', async () => {
      const { limits, unmeasured } = await plan(['auto'], '2');
      expect(limits.rows).to.equal(1);
      expect(unmeasured).to.deep.include(CPU);
      const other = { ...voice, sha256: 'another' };
      expect(await store.find(subjectOf(other, CPU, '1'))).to.equal(undefined);
      expect(await store.find(subjectOf(voice, { provider: 'webgpu' }, '1'))).to.equal(undefined);
    });

    it('unless what is there cannot be read', async () => {
      const folder = join(scratch.path, 'tuning');
      for (const file of readdirSync(folder))
        writeFileSync(join(folder, file), '{"settings": [], "index": 0}');
      expect(await store.find(subjectOf(voice, CPU, '1'))).to.equal(undefined);
    });
  });

  it('uses rows that the voice can speak, of many lengths', async () => {
    const rows = referenceRows(voice);
    expect(new Set(rows.map(({ ids }) => ids.length)).size).to.equal(rows.length);
    const { lanes } = defaultSetting(CPU, 1);
    const synthesizer = new Synthesizer([{ libraryPath, device: CPU, lane: lanes - 1 }], {
      ...{ rows: 1, paddedCost: Infinity, waste: 0 },
    });
    const options = { priority: 'batch', user: '' } as const;
    const spoken = await Promise.all(rows.map((row) => synthesizer.synthesize(voice, row, options)));
    for (const { samples } of spoken) expect(samples.length).to.be.greaterThan(0);
    await synthesizer.close();
  });
});

describe('Tuning a voice’s graph', function () {
  this.timeout(180_000);
  const scratch = temporaryFolder();
  after(() => scratch.clean());

  it('tries every rewriting for speed, tells what each gains, and keeps those that do', async () => {
    const engine = trialEngine(openAddon());
    const published = await readPiperVoice(writeToyVoice(join(scratch.path, 'voices'), 'toy', toyGraph()));
    const directory = join(scratch.path, 'prepared', 'toy');
    const { manifest } = prepareVoice(published, directory, engine);
    const { steps, prepared } = tuneSteps(published, directory, engine, manifest);
    expect(steps.map(({ step }) => step)).to.include.members([
      'layer norms fused',
      'convolutions in height one',
    ]);
    for (const { speedup, difference, kept } of steps) {
      expect(difference).to.be.at.most(1e-4);
      expect(kept).to.equal(speedup! > 1.01);
    }
    const left = steps.filter(({ kept }) => !kept).map(({ step }) => step);
    expect((prepared?.manifest ?? manifest).omitted ?? []).to.have.members(left);
    for (const step of left) expect((prepared?.manifest ?? manifest).rewrites).not.to.include(step);
    expect(readdirSync(join(scratch.path, 'prepared'))).to.deep.equal(['toy']);
  });

  it('leaves out what it is told to', async () => {
    const engine = trialEngine(openAddon());
    const published = await readPiperVoice(writeToyVoice(join(scratch.path, 'voices'), 'toy', toyGraph()));
    const omit = new Set(['layer norms fused']);
    const { manifest } = prepareVoice(published, join(scratch.path, 'prepared', 'without'), engine, omit);
    expect(manifest.rewrites).not.to.include('layer norms fused');
    expect(manifest.rewrites).to.include('convolutions in height one');
    expect(manifest.omitted).to.deep.equal(['layer norms fused']);
  });
});
