import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DirectoryLock } from '../../src/store/directory-lock.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

const MODULE = new URL('../../src/store/directory-lock.js', import.meta.url).href;
const HOLDER = `
  const { DirectoryLock } = await import(process.argv[1]);
  globalThis.held = new DirectoryLock(process.argv[2]);
  console.log('held');
  setInterval(() => {}, 1e6);`;

describe('The lock of a data directory', () => {
  let folder: TemporaryFolder;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => folder.clean());

  it('makes the directory, and is given to one at a time', () => {
    const directory = join(folder.path, 'made', 'here');
    const first = new DirectoryLock(directory);
    expect(() => new DirectoryLock(directory))
      .to.throw(String(process.pid))
      .with.property('code', 'data_directory_in_use');
    first.release();
    new DirectoryLock(directory).release();
  });

  it('ends with its process, however that ends', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, MODULE, folder.path]);
    await once(child.stdout, 'data');
    expect(() => new DirectoryLock(folder.path)).to.throw(String(child.pid));
    child.kill('SIGKILL');
    await once(child, 'exit');
    new DirectoryLock(folder.path).release();
  });
});
