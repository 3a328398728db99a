import { expect } from 'chai';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparer } from '../../src/inference/preparer.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { Catalogue } from '../../src/voices/catalogue.js';
import { NADIA, Scratch } from './prepared-voices.js';

describe('The catalogue of voices', function () {
  this.timeout(180_000);
  const scratch = new Scratch();
  const folder = join(scratch.path, 'voices');
  const prepare = preparer({ dataDir: join(scratch.path, 'data'), libraryPath: runtimeLibrary() });
  const open = (...directories: string[]) => Catalogue.open({ directories, prepare });
  after(() => scratch.remove());

  function place(name: string, model: Uint8Array | string, json?: string): void {
    writeFileSync(join(folder, `${name}.onnx`), model);
    if (json !== undefined) writeFileSync(join(folder, `${name}.onnx.json`), json);
  }

  before(() => {
    const [model, json] = [readFileSync(NADIA), readFileSync(`${NADIA}.json`, 'utf8')];
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
    place('crowd', model, json.replace('"num_speakers": 1', '"num_speakers": 12'));
    writeFileSync(join(folder, 'notes.txt'), 'no voice');
    writeFileSync(join(folder, '.hidden.onnx'), 'no voice');
  });

  let catalogue: Catalogue;

  it('serves what speaks', async () => {
    catalogue = await open(folder, join(scratch.path, 'nowhere'));
    expect(catalogue.models().map(({ name }) => name)).to.include('good');
    expect(catalogue.find('good')?.model).to.include({ voice: 'good', marks: true, sampleRate: 24000 });
  });

  const broken: [string, RegExp][] = [
    ['cut', /damaged|no graph|does not speak/],
    ['empty', /no graph|damaged/],
    ['text', /damaged/],
    ['alone', /alone\.onnx\.json is missing/],
    ['pinyin', /phoneme_type must be .* but is "pinyin"/],
    ['crowd', /num_speakers is 12, but the graph knows 1/],
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
  });

  it('refuses names that nothing goes by', () => {
    expect(() => catalogue.resolve('nobody'))
      .to.throw('There is no model named "nobody".')
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
    copyFileSync(NADIA, join(other, 'good.onnx'));
    const json = readFileSync(`${NADIA}.json`, 'utf8').replace(
      '"sample_rate": 24000',
      '"sample_rate": 16000',
    );
    writeFileSync(join(other, 'good.onnx.json'), json);
    const { voice } = (await open(folder, other)).resolve('good');
    expect(voice.sampleRate).to.equal(16000);
    expect(voice.manifest.sampleRate).to.equal(16000);
    expect(voice.manifest.rewrites).not.to.include('found');
  });

  it('takes a voice away', () => {
    catalogue.remove('good');
    expect(catalogue.find('good')).to.equal(undefined);
  });
});
