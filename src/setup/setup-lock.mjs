import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fromRoot } from './paths.mjs';

const LOCK = fromRoot('build/setup/lock');
const POLL_MILLISECONDS = 250;

/**
 * Runs `work` while no other process sets this clone up; waits for one that does, and says so once.
 * @template Result
 * @param {() => Promise<Result>} work
 * @param {(line: string) => void} [say]
 */
export async function exclusively(work, say = console.error) {
  await mkdir(fromRoot('build/setup'), { recursive: true });
  for (let waited = false; !(await takeLock()); waited = true) {
    if (!waited) say('set-up: waiting for another process that sets this clone up …');
    await delay(POLL_MILLISECONDS);
  }
  try {
    return await work();
  } finally {
    await rm(LOCK, { force: true });
  }
}

/** A lock whose holder has died is taken away, and counts as taken by nobody at the next try. */
async function takeLock() {
  try {
    const file = await open(LOCK, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!(await holderLives())) await rm(LOCK, { force: true });
    return false;
  }
}

async function holderLives() {
  const holder = Number(await readFile(LOCK, 'utf8').catch(() => ''));
  if (!holder) return true; // between its creation and its writing
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
