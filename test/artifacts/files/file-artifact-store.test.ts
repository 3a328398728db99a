import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FileArtifactStore } from '../../../src/artifacts/files/file-artifact-store.js';
import { LantangError } from '../../../src/errors.js';
import { codeOf } from '../../code-of.js';
import { temporaryFolder, type TemporaryFolder } from '../../temporary-folder.js';

const ID = '018f3d5e-0000-7000-8000-0000000000ab';

describe('Artifacts in files', () => {
  let folder: TemporaryFolder;
  let directory: string;
  let store: FileArtifactStore;
  beforeEach(async () => {
    folder = temporaryFolder();
    directory = join(folder.path, 'audio');
    store = await FileArtifactStore.open(directory);
  });
  afterEach(() => folder.clean());

  async function* pieces(...texts: string[]): AsyncIterable<Buffer> {
    for (const text of texts) yield await Promise.resolve(Buffer.from(text));
  }
  const files = (): string[] =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);

  it('keep bytes under a name that tells their hash', async () => {
    const { name, size, sha256 } = await store.write(ID, 'mp3', pieces('good ', 'day'));
    expect(sha256).to.equal(createHash('sha256').update('good day').digest('hex'));
    expect(name).to.equal(`${ID}.${sha256.slice(0, 16)}.mp3`);
    expect(size).to.equal(8);
    expect((await store.read(name)).toString()).to.equal('good day');
    expect(readdirSync(join(directory, 'ab'))).to.deep.equal([name]);
  });

  it('keep nothing of no bytes but the name', async () => {
    const { name } = await store.write(ID, 'pcm', pieces());
    expect(await store.read(name)).to.have.length(0);
  });

  it('stream the whole or a span', async () => {
    const { name } = await store.write(ID, 'wav', pieces('0123456789'));
    const { size, etag, stream } = await store.open(name);
    expect([size, etag]).to.deep.equal([10, `"${name.split('.')[1]}"`]);
    const read = async (span?: { start: number; end: number }): Promise<string> =>
      (await buffer(stream(span))).toString();
    expect(await read()).to.equal('0123456789');
    expect(await read({ start: 2, end: 4 })).to.equal('234');
    expect(await read({ start: 9, end: 9 })).to.equal('9');
  });

  it('are not seen before they are whole, and leave nothing when their bytes fail', async () => {
    async function* failing(): AsyncIterable<Buffer> {
      yield Buffer.from('half');
      expect(files().filter((name) => name.endsWith('.wav'))).to.deep.equal([]);
      await Promise.reject(new LantangError('encoding_failed', 'No.'));
    }
    expect(await codeOf(store.write(ID, 'wav', failing()))).to.equal('encoding_failed');
    expect(files()).to.deep.equal([]);
  });

  it('of an unfinished write are removed at the next start', async () => {
    writeFileSync(join(directory, 'unfinished', `${ID}.1.1`), 'half');
    const { name } = await store.write(ID, 'wav', pieces('whole'));
    store = await FileArtifactStore.open(directory);
    expect(files()).to.deep.equal([name]);
  });

  it('can be written at once, also for one id', async () => {
    const written = await Promise.all(
      ['a', 'b', 'c', 'a'].map((text) => store.write(ID, 'wav', pieces(text))),
    );
    expect(new Set(written.map(({ name }) => name)).size).to.equal(3);
    for (const [index, text] of ['a', 'b', 'c', 'a'].entries())
      expect((await store.read(written[index]!.name)).toString()).to.equal(text);
  });

  it('are gone when removed, once or twice', async () => {
    const { name } = await store.write(ID, 'wav', pieces('x'));
    await store.remove(name);
    await store.remove(name);
    expect(await codeOf(store.read(name))).to.equal('artifact_not_found');
    expect(await codeOf(store.open(name))).to.equal('artifact_not_found');
  });

  it('of one id are removed but the one to keep, and no other id’s', async () => {
    const [a, b, other] = await Promise.all([
      store.write(ID, 'wav', pieces('a')),
      store.write(ID, 'wav', pieces('b')),
      store.write(ID.replace('018', '019'), 'wav', pieces('a')),
    ]);
    await store.removeAllOf(ID, b.name);
    expect(files()).to.have.members([b.name, other.name]);
    await store.removeAllOf(ID);
    await store.removeAllOf('no-such-id');
    expect(await codeOf(store.read(a.name))).to.equal('artifact_not_found');
  });

  it('are not found under names that lead elsewhere', async () => {
    writeFileSync(join(folder.path, 'secret'), 'x');
    for (const name of [
      '../secret',
      '/etc/passwd',
      '..',
      '',
      'unfinished',
      `${ID}.0123456789abcdef.wav/..`,
      `${ID}\0.wav`,
    ]) {
      expect(await codeOf(store.open(name)), name).to.equal('artifact_not_found');
      expect(await codeOf(store.read(name)), name).to.equal('artifact_not_found');
      await store.remove(name);
    }
  });

  it('cannot be named after what is no id', async () => {
    for (const id of ['../x', 'a/b', ''])
      await store.write(id, 'wav', pieces('x')).then(
        () => expect.fail(id),
        () => undefined,
      );
    expect(files()).to.deep.equal([]);
  });

  it('are refused, retryably, when the folder is gone or is none', async () => {
    rmSync(directory, { recursive: true });
    expect(await codeOf(store.write(ID, 'wav', pieces('x')))).to.equal('storage_unavailable');
    writeFileSync(directory, 'a file');
    const error = await store.write(ID, 'wav', pieces('x')).catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'storage_unavailable', retryable: true });
    expect(await codeOf(FileArtifactStore.open(directory))).to.equal('storage_unavailable');
  });
});
