import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparer } from '../../src/inference/preparer.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { PhonemizerPool } from '../../src/text/phonemizer-pool.js';
import { Catalogue, type BrokenVoice } from '../../src/voices/catalogue.js';
import { temporaryFolder } from '../temporary-folder.js';
import { copyVoice, ENGLISH, jsonOfCopy } from './prepared-voices.js';

describe('The catalogue of voices', function () {
  this.timeout(180_000);
  const scratch = temporaryFolder();
  const folder = join(scratch.path, 'voices');
  const dataDir = join(scratch.path, 'data');
  const phonemizers = new PhonemizerPool();
  const reported: BrokenVoice[] = [];
  after(async () => {
    await phonemizers.close();
    scratch.clean();
  });

  /** Voices that have not been prepared wait. */
  function read(...directories: string[]): Promise<Catalogue> {
    return Catalogue.open({
      directories,
      preparer: preparer({ folder: join(dataDir, 'prepared'), libraryPath: runtimeLibrary() }),
      knowsEspeakVoice: (name) => phonemizers.hasVoice(name),
      report: (voice) => reported.push(voice),
    });
  }

  async function open(...directories: string[]): Promise<Catalogue> {
    const catalogue = await read(...directories);
    await catalogue.prepareAll();
    return catalogue;
  }

  function place(name: string, model: Uint8Array | string, json?: string): void {
    writeFileSync(join(folder, `${name}.onnx`), model);
    if (json === undefined) return;
    const own = json.replace('"name": "good"', `"name": "${name}"`);
    writeFileSync(join(folder, `${name}.onnx.json`), own);
  }

  before(() => {
    const [model, json] = [readFileSync(ENGLISH), jsonOfCopy('good')];
    mkdirSync(folder);
    place('good', model, json);
    place('cut', model.subarray(0, model.length / 2), json);
    place('empty', '', json);
    place('text', 'This is no model.\n'.repeat(1000), json);
    place('alone', model);
    place(
      'pinyin',
      model,
      json.replace('"espeak"', '"pinyin"').replace('"phoneme_type": "espeak"', '"phoneme_type": "pinyin"'),
    );
    place(
      'beyond',
      model,
      json.replace('"a": [14]', '"a": [255]').replace('"num_symbols": 256', '"num_symbols": 9000'),
    );
    place('crowd', model, json.replace('"num_speakers": 2', '"num_speakers": 12'));
    const spokenBy = (voice: string) =>
      json.replace('"voice": "en-us"', JSON.stringify({ voice }).slice(1, -1));
    place('stranger', model, spokenBy('tlh-klingon'));
    place('traveller', model, spokenBy('../../../../etc/passwd'));
    place('crasher', model, spokenBy('!v/f3'));
    execFileSync('mkfifo', [join(folder, 'pipe.onnx'), join(folder, 'piped.onnx.json')]);
    place('piped', model);
    mkdirSync(join(folder, 'drawer.onnx'));
    symlinkSync(join(folder, 'nothing'), join(folder, 'link.onnx'));
    symlinkSync('/dev/zero', join(folder, 'device.onnx'));
    writeFileSync(join(folder, 'notes.txt'), 'no voice');
    writeFileSync(join(folder, '.hidden.onnx'), 'no voice');
  });

  let catalogue: Catalogue;

  it('reads what is there without preparing anything, and lists only what can speak now', async () => {
    catalogue = await read(folder, join(scratch.path, 'nowhere'));
    expect(catalogue.waiting()).to.have.members(['good', 'beyond', 'crowd']);
    expect(catalogue.models()).to.deep.equal([]);
    expect(catalogue.voiceNameOf('good')).to.equal('good');
    expect(readdirSync(scratch.path)).not.to.include('data');
  });

  it('goes on waiting when preparing is broken off', async () => {
    const stop = new AbortController();
    const prepared = catalogue.prepare('good', stop.signal);
    stop.abort();
    expect(await prepared.catch((error: Error) => error.name)).to.equal('AbortError');
    expect(catalogue.waiting()).to.include('good');
  });

  it('prepares the voice that is asked for, and it alone', async () => {
    expect((await catalogue.obtain('good')).voice.name).to.equal('good');
    expect(catalogue.waiting()).to.have.members(['beyond', 'crowd']);
  });

  it('serves what speaks', async () => {
    await catalogue.prepareAll();
    expect(catalogue.waiting()).to.deep.equal([]);
    expect(catalogue.models().map(({ name }) => name)).to.include('good');
    expect(catalogue.find('good')?.model).to.include({ voice: 'good', marks: true, sampleRate: 24000 });
  });

  const broken: [string, RegExp][] = [
    ['cut', /cut\.onnx is damaged.* ends \d+ bytes too early/],
    ['empty', /empty\.onnx is damaged or is no ONNX model/],
    ['text', /text\.onnx is damaged or is no ONNX model/],
    ['alone', /alone\.onnx\.json is missing/],
    ['pinyin', /phoneme_type must be .* but is "pinyin"/],
    ['crowd', /num_speakers is 12, but the graph knows 2/],
    ['stranger', /espeak\.voice must be a voice that espeak-ng has here.*"tlh-klingon"/],
    ['traveller', /espeak\.voice must be .* but is "\.\..*passwd"/],
    ['crasher', /espeak\.voice must be /],
    ['pipe', /pipe\.onnx must be a file, but is a named pipe/],
    ['piped', /piped\.onnx\.json must be a file, but is a named pipe/],
    ['drawer', /drawer\.onnx must be a file, but is a folder/],
    ['link', /link\.onnx is missing or can't be read/],
    ['device', /device\.onnx must be a file, but is a device/],
  ];
  for (const [name, reason] of broken) {
    it(`reports and skips a broken voice: ${name}`, () => {
      const report = catalogue.broken().find((voice) => voice.name === name);
      expect(report?.code).to.equal('voice_invalid');
      expect(report?.reason).to.match(reason);
      expect(report?.reason).not.to.include(scratch.path);
      expect(catalogue.find(name)).to.equal(undefined);
    });
  }

  it('never lets an id through that the graph has no row for', () => {
    const { numSymbols } = catalogue.resolve('beyond').voice.manifest;
    expect(numSymbols).to.equal(256);
  });

  it('reports nothing else', () => {
    expect(catalogue.broken().map(({ name }) => name)).to.have.members(broken.map(([name]) => name));
    expect(reported).to.have.deep.members(catalogue.broken());
  });

  it('does not try again what could not be prepared, and says how to', async () => {
    const again = await read(folder);
    expect(again.waiting()).to.deep.equal([]);
    const report = again.broken().find(({ name }) => name === 'crowd');
    expect(report?.reason).to.match(/but the graph knows 2\. `lantang voices add` .* tries again/);
  });

  it('tries again when the json has changed', async () => {
    const mended = join(scratch.path, 'mended');
    mkdirSync(mended);
    const json = readFileSync(`${copyVoice(mended, 'crowd')}.json`, 'utf8');
    writeFileSync(join(mended, 'crowd.onnx.json'), json.replace('"num_speakers": 2', '"num_speakers": 3'));
    expect((await read(folder, mended)).waiting()).to.include('crowd');
  });

  it('says of a broken voice why it cannot speak, and of its speakers', () => {
    for (const name of ['crowd', 'crowd-3']) {
      expect(() => catalogue.resolve(name))
        .to.throw(/cannot speak.*the graph knows 2/)
        .with.property('code', 'voice_invalid');
    }
  });

  it('refuses names that nothing goes by', () => {
    expect(() => catalogue.resolve('nobody'))
      .to.throw('There is no model named "nobody"')
      .with.property('code', 'voice_not_found');
  });

  it('finds a voice prepared the next time', async () => {
    const directory = catalogue.resolve('good').voice.directory;
    const manifest = join(directory, 'manifest.json');
    const before = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, before.replace('"rewrites": [', '"rewrites": ["found", '));
    const again = await open(folder);
    expect(again.resolve('good').voice.manifest.rewrites[0]).to.equal('found');
  });

  it('prepares anew when the json has changed what the graph is said to be', async () => {
    const other = join(scratch.path, 'other');
    mkdirSync(other);
    const file = `${copyVoice(other, 'good')}.json`;
    const json = readFileSync(file, 'utf8').replace('"sample_rate": 24000', '"sample_rate": 16000');
    writeFileSync(file, json);
    const { voice } = (await open(folder, other)).resolve('good');
    expect(voice.sampleRate).to.equal(16000);
    expect(voice.manifest.sampleRate).to.equal(16000);
    expect(voice.manifest.rewrites).not.to.include('found');
  });

  it('gives a voice the name that a speaker of another had', async () => {
    const [ours, theirs] = ['ours', 'theirs'].map((name) => join(scratch.path, name));
    for (const directory of [ours!, theirs!]) mkdirSync(directory);
    copyFileSync(ENGLISH, join(ours!, 'english.onnx'));
    copyFileSync(`${ENGLISH}.json`, join(ours!, 'english.onnx.json'));
    copyVoice(theirs!, 'aidan');
    const both = await open(ours!, theirs!);
    expect(both.models().map(({ name, voice }) => [name, voice])).to.have.deep.members([
      ['nadia', 'english'],
      ['aidan', 'aidan'],
      ['aidan-aidan', 'aidan'],
    ]);
    expect(both.resolve('aidan').voice.name).to.equal('aidan');
    expect(both.voiceNameOf('aidan')).to.equal('aidan');
    expect(both.voiceNameOf('nadia')).to.equal('english');
  });
});
