import { expect } from 'chai';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PREPARATION_VERSION } from '../../../src/voices/prepare/draft.js';
import { preparedFolder, removeOldPreparations } from '../../../src/voices/prepare/prepared-folder.js';
import { temporaryFolder } from '../../temporary-folder.js';

describe('What other versions have prepared', () => {
  const scratch = temporaryFolder();
  after(() => scratch.clean());

  it('is removed, and nothing else', async () => {
    const sha256 = 'a'.repeat(64);
    const folder = join(scratch.path, 'prepared');
    const kept = [
      `${sha256}-v${PREPARATION_VERSION}`,
      'notes',
      `${sha256}-v${PREPARATION_VERSION}.77.partial`,
    ];
    const old = [
      `${sha256}-v1`,
      `${sha256}-v${PREPARATION_VERSION - 1}`,
      `${sha256}-v${PREPARATION_VERSION + 1}`,
    ];
    for (const name of [...kept, ...old]) mkdirSync(join(folder, name, 'stage'), { recursive: true });
    writeFileSync(join(folder, `${sha256}-v1.failed.json`), '{}');
    await removeOldPreparations(folder);
    expect(readdirSync(folder)).to.have.members(kept);
    expect(preparedFolder(folder, sha256)).to.equal(join(folder, kept[0]!));
  });

  it('need not be there', async () => {
    await removeOldPreparations(join(scratch.path, 'nowhere'));
  });
});
