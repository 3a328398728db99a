import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyArtifacts } from '../../../src/artifacts/files/copy-artifacts.js';
import { FileArtifactStore } from '../../../src/artifacts/files/file-artifact-store.js';
import { codeOf } from '../../code-of.js';
import { temporaryFolder } from '../../temporary-folder.js';

describe('Copying artifacts', () => {
  const folder = temporaryFolder();
  after(() => folder.clean());
  const [from, to] = [join(folder.path, 'audio'), join(folder.path, 'copy')];

  async function* once(text: string): AsyncIterable<Buffer> {
    yield await Promise.resolve(Buffer.from(text));
  }

  it('takes all that is finished, and at the next time what is new', async () => {
    const store = await FileArtifactStore.open(from);
    const ids = ['018f3d5e-00aa', '018f3d5e-00ab', '018f3d5e-00ac'] as const;
    const first = [
      await store.write(ids[0], 'wav', once('one')),
      await store.write(ids[1], 'mp3', once('two')),
    ];
    writeFileSync(join(from, 'unfinished', 'half'), 'half');
    expect(await copyArtifacts(from, to)).to.equal(2);
    const third = await store.write(ids[2], 'wav', once('three'));
    expect(await copyArtifacts(from, to)).to.equal(1);
    const copy = await FileArtifactStore.open(to);
    for (const [index, { name }] of [...first, third].entries())
      expect((await copy.read(name)).toString()).to.equal(['one', 'two', 'three'][index]);
  });

  it('has nothing to copy from a store that was never opened', async () => {
    expect(await copyArtifacts(join(folder.path, 'nowhere'), to)).to.equal(0);
  });

  it('says when it cannot', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, 'no folder');
    expect(await codeOf(copyArtifacts(file, to))).to.equal('storage_unavailable');
  });
});
