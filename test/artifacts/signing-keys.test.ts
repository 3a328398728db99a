import { expect } from 'chai';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signPath, verifyPath } from '../../src/artifacts/signed-url.js';
import { loadSigningKeys, rotateSigningKeys } from '../../src/artifacts/signing-keys.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

describe('Signing keys', () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'data', 'signing-keys.json');
  });
  afterEach(() => folder.clean());

  it('are made at the first start, for their owner only, and stay', () => {
    const keys = loadSigningKeys(file);
    expect(keys[0].secret).to.have.length(32);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(loadSigningKeys(file)).to.deep.equal(keys);
  });

  it('of before a change verify what they signed, until the change after', () => {
    const [first] = loadSigningKeys(file);
    const url = Object.fromEntries(new URLSearchParams(signPath('/x', 4e9, first)));
    const keys = rotateSigningKeys(file);
    expect(keys[0].secret.equals(first.secret)).to.be.false;
    expect(loadSigningKeys(file)).to.deep.equal(keys);
    verifyPath('/x', url, keys, 0);
    expect(() => verifyPath('/x', url, rotateSigningKeys(file), 0)).to.throw();
  });

  it('that cannot be read are told of, and not overwritten', () => {
    loadSigningKeys(file);
    writeFileSync(file, '{"keys": [{"id": "a", "secret": "short"}]}');
    expect(() => loadSigningKeys(file))
      .to.throw('cannot be read')
      .with.property('code', 'signing_keys_invalid');
    expect(readFileSync(file, 'utf8')).to.include('short');
  });
});
