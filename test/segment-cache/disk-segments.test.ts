import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { DiskSegments } from '../../src/segment-cache/disk-segments.js';
import { decodeSegment, type Segment } from '../../src/segment-cache/segment.js';
import { NO_SMALL_DISK, smallDisk } from '../store/small-disk.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

const KILOBYTE = 1024;
/** A segment whose file takes three blocks of 4 kB. */
const SEGMENT: Segment = { samples: new Float32Array(2560).fill(0.5), durations: Int32Array.of(4, 6) };
const SIZE = 12 * KILOBYTE;
const keyOf = (number: number) => number.toString(16).padStart(64, '0');

describe('Segments on the disk', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  let path: string;
  let warnings: unknown[];
  let now: number;

  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder.path, 'segments');
    warnings = [];
    now = Date.now();
  });
  afterEach(() => folder.clean());

  const open = (limit = 100 * SIZE, where = path) =>
    new DiskSegments({ folder: where, limit, warn: (error) => warnings.push(error), now: () => now });

  async function write(disk: DiskSegments, ...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      disk.write(keyOf(number), SEGMENT);
      await disk.close();
    }
  }

  const kept = (disk: DiskSegments, count: number) =>
    Array.from({ length: count }, (_, number) => number).filter((number) => disk.has(keyOf(number)));

  it('are there again after a restart', async () => {
    await write(open(), 1);
    const again = open();
    expect([again.entries, again.bytes]).to.deep.equal([1, SIZE]);
    expect(await again.read(keyOf(1))).to.deep.equal(SEGMENT);
    expect(warnings).to.deep.equal([]);
  });

  it('take no more room than they may, the least recently used leaving first', async () => {
    const disk = open(5 * SIZE);
    await write(disk, 0, 1, 2, 3, 4);
    disk.use(keyOf(0));
    await write(disk, 5, 6);
    expect(kept(disk, 7)).to.deep.equal([0, 3, 4, 5, 6]);
    expect([disk.bytes, disk.evictions]).to.deep.equal([5 * SIZE, 2]);
    const used = readdirSync(path).reduce((sum, name) => sum + 512 * statSync(join(path, name)).blocks, 0);
    expect(used).to.be.at.most(5 * SIZE);
  });

  it('keep their order of use through a restart, and shrink to a smaller limit', async () => {
    const disk = open();
    for (const number of [0, 1, 2, 3]) {
      await write(disk, number);
      now += 2 * 3600_000;
    }
    disk.use(keyOf(1));
    await disk.close();
    const smaller = open(2 * SIZE);
    expect(kept(smaller, 4)).to.deep.equal([1, 3]);
    await smaller.close();
    expect(readdirSync(path)).to.have.length(2);
  });

  it('are not written a second time', async () => {
    const disk = open();
    await write(disk, 1);
    const { ino } = statSync(join(path, `${keyOf(1)}.segment`));
    await write(disk, 1);
    expect(statSync(join(path, `${keyOf(1)}.segment`)).ino).to.equal(ino);
    expect(disk.bytes).to.equal(SIZE);
  });

  it('are removed when their file is not whole, and written anew', async () => {
    const disk = open();
    await write(disk, 1, 2);
    truncateSync(join(path, `${keyOf(1)}.segment`), 5000);
    expect(await disk.read(keyOf(1))).to.equal(undefined);
    await disk.close();
    expect([disk.has(keyOf(1)), disk.failures, disk.bytes]).to.deep.equal([false, 1, SIZE]);
    await write(disk, 1);
    expect(await disk.read(keyOf(1))).to.deep.equal(SEGMENT);
  });

  it('are missing where somebody has removed the file, and nobody minds', async () => {
    const disk = open();
    await write(disk, 1);
    folder.clean();
    mkdirSync(path, { recursive: true });
    expect(await disk.read(keyOf(1))).to.equal(undefined);
    await write(disk, 1);
    expect(await disk.read(keyOf(1))).to.deep.equal(SEGMENT);
    expect(warnings).to.deep.equal([]);
  });

  it('leave what a killed process had begun, and leave other files alone', () => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, `${keyOf(1)}.segment.partial`), 'begun');
    writeFileSync(join(path, 'notes.txt'), 'of somebody');
    expect(open().entries).to.equal(0);
    expect(readdirSync(path)).to.deep.equal(['notes.txt']);
  });

  it('are done without where the folder cannot be made', async () => {
    writeFileSync(join(folder.path, 'file'), '');
    const disk = open(SIZE, join(folder.path, 'file', 'segments'));
    await write(disk, 1);
    expect([disk.entries, disk.bytes, warnings.length]).to.deep.equal([0, 0, 1]);
  });

  it('are done without while the disk is full, with one warning, and kept again when there is room', async function () {
    const small = smallDisk(1);
    if (!small) {
      this.test!.title += ` (skipped: ${NO_SMALL_DISK})`;
      return this.skip();
    }
    try {
      const filler = join(small.path, 'filler');
      writeFileSync(filler, Buffer.alloc(1020 * KILOBYTE));
      const disk = open(100 * SIZE, join(small.path, 'segments'));
      await write(disk, 1, 2, 3);
      expect([disk.entries, disk.bytes, disk.failures, warnings.length]).to.deep.equal([0, 0, 1, 1]);
      expect(readdirSync(join(small.path, 'segments'))).to.deep.equal([]);
      truncateSync(filler, 0);
      now += 3600_000;
      await write(disk, 1);
      expect(await disk.read(keyOf(1))).to.deep.equal(SEGMENT);
    } finally {
      small.remove();
    }
  });

  it('are whole or absent after a process was killed in the middle of writing', async () => {
    const program = fileURLToPath(new URL('./writing-process.js', import.meta.url));
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
      for (let lines = 0; lines <= 3 * round;) {
        const [text] = (await once(child.stdout, 'data')) as [Buffer];
        lines += text.toString().split('\n').length - 1;
      }
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    const disk = open(Infinity);
    expect(disk.entries).to.be.greaterThan(0);
    for (const name of readdirSync(path)) {
      const key = name.replace('.segment', '');
      expect(decodeSegment(key, readFileSync(join(path, name))), name).to.not.equal(undefined);
      expect(await disk.read(key))
        .to.have.property('samples')
        .with.length(65_536);
    }
    expect(existsSync(path) && warnings.length).to.equal(0);
  });
});
