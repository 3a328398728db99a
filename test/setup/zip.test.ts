import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSetUp } from './set-up-module.js';

/** Python writes the archives, so that reading is held against another hand's idea of the format. */
const WRITE_ARCHIVE = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    archive.writestr('stored.txt', 'as it is', zipfile.ZIP_STORED)
    archive.writestr('folder/deflated.txt', 'again and ' * 1000, zipfile.ZIP_DEFLATED)
    archive.writestr('packed.txt', 'otherwise', zipfile.ZIP_BZIP2)
    archive.comment = b'a comment behind the end record'
`;

interface Zip {
  readZipEntry: (archive: Buffer, name: string) => Buffer;
  extractZipEntry: (archive: string, name: string, target: string) => Promise<void>;
}

describe('Reading a zip archive', () => {
  let folder: string;
  let archive: Buffer;
  let readZipEntry: Zip['readZipEntry'];
  let extractZipEntry: Zip['extractZipEntry'];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lantang-zip-'));
    execFileSync('python3', ['-c', WRITE_ARCHIVE, join(folder, 'a.zip')]);
    archive = readFileSync(join(folder, 'a.zip'));
    ({ readZipEntry, extractZipEntry } = await loadSetUp<Zip>('zip'));
  });

  after(() => rmSync(folder, { recursive: true }));

  it('gives stored and deflated entries', () => {
    expect(readZipEntry(archive, 'stored.txt').toString()).to.equal('as it is');
    expect(readZipEntry(archive, 'folder/deflated.txt').toString()).to.equal('again and '.repeat(1000));
  });

  it('says which entry is missing', () => {
    expect(() => readZipEntry(archive, 'absent.txt')).to.throw('The archive has no entry absent.txt.');
  });

  it('refuses a compression that it does not know', () => {
    expect(() => readZipEntry(archive, 'packed.txt')).to.throw(/compression method 12/);
  });

  it('refuses what is no archive', () => {
    expect(() => readZipEntry(Buffer.from('not a zip archive at all'), 'a')).to.throw(
      'The file is no zip archive.',
    );
    expect(() => readZipEntry(Buffer.alloc(0), 'a')).to.throw('The file is no zip archive.');
  });

  it('writes entries to files without reading the whole archive', async () => {
    const target = join(folder, 'out');
    for (const name of ['stored.txt', 'folder/deflated.txt']) {
      await extractZipEntry(join(folder, 'a.zip'), name, target);
      expect(readFileSync(target).equals(readZipEntry(archive, name))).to.be.true;
    }
  });

  it('writes nothing where an entry is missing or the file is no archive', async () => {
    const target = join(folder, 'absent');
    writeFileSync(join(folder, 'short.zip'), 'short');
    const failures = await Promise.allSettled([
      extractZipEntry(join(folder, 'a.zip'), 'absent.txt', target),
      extractZipEntry(join(folder, 'short.zip'), 'stored.txt', target),
    ]);
    expect(failures.map((failure) => failure.status === 'rejected' && String(failure.reason))).to.deep.equal([
      'Error: The archive has no entry absent.txt.',
      'Error: The file is no zip archive.',
    ]);
    expect(existsSync(target)).to.be.false;
  });
});
