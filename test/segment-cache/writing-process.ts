import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { DiskSegments } from '../../src/segment-cache/disk-segments.js';

/* A process to be killed: stores segments in a folder for as long as it lives, and writes a line for each round. */
const [folder = '.'] = process.argv.slice(2);
const disk = new DiskSegments({ folder, limit: Infinity, warn: () => process.exit(1) });
const samples = new Float32Array(65_536).map((_, index) => Math.sin(index));
for (let number = 0; ; number++) {
  const key = createHash('sha256').update(`${process.pid} ${number}`).digest('hex');
  disk.write(key, { samples });
  await nextTurn();
  if (disk.entries % 4 === 3) process.stdout.write('stored\n');
}
