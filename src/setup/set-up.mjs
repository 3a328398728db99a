/*
 * Everything that a fresh clone needs before it can run, in order. Each step first asks whether it is done, without
 * starting a process, so that a clone that is set up starts at once. Plain JavaScript without dependencies: this runs
 * before anything is installed.
 */
import { nativeBuild } from './native-build.mjs';
import { nodePackages } from './node-packages.mjs';
import { requireNodeVersion } from './node-version.mjs';
import { reportProgress } from './progress.mjs';
import { exclusively } from './setup-lock.mjs';
import { systemPackages } from './system-packages.mjs';
import { typescriptBuild } from './typescript-build.mjs';

/**
 * @typedef {object} Step
 * @property {string} name what a person reads while it runs
 * @property {() => Promise<boolean>} isDone quick: reads files, starts no process
 * @property {(log: string) => Promise<void>} run does it; what its commands print is appended to the file `log`
 */

/** @type {Step[]} */
const STEPS = [systemPackages, nodePackages, nativeBuild, typescriptBuild];

/** Brings this clone up to date with its sources; does nothing where it already is. Throws a SetUpError. */
export async function setUp() {
  requireNodeVersion();
  if (await isUpToDate()) return;
  await exclusively(async () => {
    for (const [index, step] of STEPS.entries()) {
      if (await step.isDone()) continue;
      await reportProgress(`${index + 1}/${STEPS.length}`, step);
    }
  });
}

async function isUpToDate() {
  for (const step of STEPS) {
    if (!(await step.isDone())) return false;
  }
  return true;
}
