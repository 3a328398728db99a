import { expect } from 'chai';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparer } from '../../src/inference/preparer.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { addVoice, removeVoice } from '../../src/voices/install.js';
import { codeOf } from '../code-of.js';
import { temporaryFolder } from '../temporary-folder.js';
import { ENGLISH } from './prepared-voices.js';

describe('Adding voices', function () {
  this.timeout(180_000);
  const scratch = temporaryFolder();
  const folder = join(scratch.path, 'models');
  const prepare = preparer({ folder: join(scratch.path, 'prepared'), libraryPath: runtimeLibrary() });
  after(() => scratch.clean());

  it('copies a voice that speaks, with its json, and nothing else', async () => {
    const voice = await addVoice(ENGLISH, folder, prepare);
    expect(voice.name).to.equal('english');
    expect(readdirSync(folder)).to.have.members(['english.onnx', 'english.onnx.json']);
    expect(readFileSync(join(folder, 'english.onnx')).equals(readFileSync(ENGLISH))).to.equal(true);
  });

  it('refuses a second voice of the same name', async () => {
    expect(await codeOf(addVoice(`${ENGLISH}.json`, folder, prepare))).to.equal('voice_exists');
  });

  it('tries a voice again that lies in the folder already', async () => {
    const voice = await addVoice(join(folder, 'english.onnx'), folder, prepare);
    expect(voice.name).to.equal('english');
    expect(readdirSync(folder)).to.have.members(['english.onnx', 'english.onnx.json']);
  });

  it('leaves nothing of a voice that does not speak', async () => {
    const broken = join(scratch.path, 'broken.onnx');
    writeFileSync(broken, 'no model');
    writeFileSync(`${broken}.json`, readFileSync(`${ENGLISH}.json`));
    expect(await codeOf(addVoice(broken, folder, prepare))).to.equal('voice_invalid');
    expect(readdirSync(folder)).to.have.members(['english.onnx', 'english.onnx.json']);
  });

  it('refuses what is no voice by its name', async () => {
    expect(await codeOf(addVoice('/etc/hostname', folder, prepare))).to.equal('voice_invalid');
  });

  it('removes a voice', async () => {
    await removeVoice('english', folder);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('removes nothing outside the folder', async () => {
    mkdirSync(join(scratch.path, 'elsewhere'));
    const other = join(scratch.path, 'elsewhere', 'x.onnx');
    writeFileSync(other, '');
    expect(await codeOf(removeVoice('../elsewhere/x', folder))).to.equal('voice_not_found');
    expect(await codeOf(removeVoice('english', folder))).to.equal('voice_not_found');
    expect(readdirSync(join(scratch.path, 'elsewhere'))).to.deep.equal(['x.onnx']);
  });
});
