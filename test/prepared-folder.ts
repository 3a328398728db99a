import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesOf } from '../src/places.js';

/** Preparing a voice takes seconds, and nothing that a test sets has a say in it: it is done once for all tests. */
const prepared = mkdtemp(join(tmpdir(), 'lantang-prepared-'));

after(async () => rm(await prepared, { recursive: true, force: true }));

/** A data directory of its own that finds voices prepared. */
export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lantang-data-'));
  await symlink(await prepared, placesOf({ dataDir, modelsDir: undefined }).preparedVoices);
  return dataDir;
}
