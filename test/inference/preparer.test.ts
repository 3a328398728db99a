import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { preparer } from '../../src/inference/preparer.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { Catalogue } from '../../src/voices/catalogue.js';
import { EMBEDDED_VOICES } from '../native/published-voice.js';
import { NO_SMALL_DISK, smallDisk } from '../store/small-disk.js';

describe('Preparing a voice on a full disk', function () {
  this.timeout(120_000);

  it(`says so, leaves nothing, and is tried again (else skipped: ${NO_SMALL_DISK})`, async function () {
    const disk = smallDisk(4);
    if (!disk) return this.skip();
    try {
      const options = {
        directories: [EMBEDDED_VOICES],
        preparer: preparer({ folder: join(disk.path, 'prepared'), libraryPath: runtimeLibrary() }),
      };
      const catalogue = await Catalogue.open(options);
      const failure = await catalogue.obtain('nadia').catch((error: unknown) => error);
      expect(failure).to.include({ code: 'storage_full' });
      expect((failure as Error).message).to.match(/"nadia" cannot speak.* disk is full/);
      expect(readdirSync(join(disk.path, 'prepared'))).to.deep.equal([]);
      expect((await Catalogue.open(options)).waiting()).to.include('english');
    } finally {
      disk.remove();
    }
  });
});
