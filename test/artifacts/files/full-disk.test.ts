import { expect } from 'chai';
import { readdirSync, readlinkSync } from 'node:fs';
import { FileArtifactStore } from '../../../src/artifacts/files/file-artifact-store.js';
import { eventually } from '../../audio/ffmpeg.js';
import { codeOf } from '../../code-of.js';
import { NO_SMALL_DISK, smallDisk, type SmallDisk } from '../../store/small-disk.js';

const ID = '018f3d5e-0000-7000-8000-0000000000ab';
const PIECE = Buffer.alloc(64 * 1024, 1);

describe('Artifacts on a small disk', () => {
  let disk: SmallDisk;

  before(`a disk of one megabyte (else skipped: ${NO_SMALL_DISK})`, function () {
    const mounted = smallDisk(1);
    if (!mounted) return this.skip();
    disk = mounted;
  });
  after(() => (disk as SmallDisk | undefined)?.remove());

  async function* bytes(pieces: number): AsyncIterable<Buffer> {
    for (let piece = 0; piece < pieces; piece += 1) yield await Promise.resolve(PIECE);
  }

  it('are refused when it is full, leave no part, and are kept again when there is room', async () => {
    const store = await FileArtifactStore.open(disk.path);
    const first = await store.write(ID, 'wav', bytes(8));
    expect(await codeOf(store.write(ID, 'wav', bytes(12)))).to.equal('storage_full');
    expect(readdirSync(`${disk.path}/unfinished`)).to.deep.equal([]);
    expect(await store.read(first.name)).to.have.length(8 * PIECE.length);
    await store.remove(first.name);
    expect((await store.write(ID, 'wav', bytes(12))).size).to.equal(12 * PIECE.length);
  });

  it('are refused while it is read-only', async () => {
    const store = await FileArtifactStore.open(disk.path);
    expect(disk.makeReadOnly()).to.be.true;
    expect(await codeOf(store.write(ID, 'wav', bytes(1)))).to.equal('storage_unavailable');
    // By whoever opened it, not by the garbage collector, which warns.
    const warnings: Error[] = [];
    const hear = (warning: Error) => warnings.push(warning);
    process.on('warning', hear);
    await eventually(() => openedOn(disk).length === 0);
    await new Promise(setImmediate);
    process.off('warning', hear);
    expect(warnings).to.deep.equal([]);
    expect(disk.makeWritable()).to.be.true;
    await store.write(ID, 'wav', bytes(1));
  });
});

/** What of a disk this process has open. */
function openedOn(disk: SmallDisk): string[] {
  const paths = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  });
  return paths.filter((path) => path.startsWith(disk.path));
}
