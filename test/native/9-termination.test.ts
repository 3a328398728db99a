import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { loadAddon } from '../../src/inference/binding.js';

/*
 * A thread that is ended while it loads the addon must not end the process with it. It did: an exception that can no
 * longer be thrown into JavaScript was thrown on in C++. The threads run in a process of their own, which is what
 * would die; this file is also what they load.
 */
const FILE = fileURLToPath(import.meta.url);
const THREADS = 200;

if (!isMainThread) {
  parentPort!.postMessage('loading');
  loadAddon();
} else if (process.argv[2] === 'end threads') {
  await endThreads();
} else {
  describe('native: termination', () => {
    it('survives threads that are ended at any moment of loading the addon', async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [FILE, 'end threads']);
      expect(stdout).to.equal(`${THREADS} ended`);
    }).timeout(120_000);
  });
}

/** Each at the moment it begins to load, or a few turns of the event loop later. */
async function endThreads(): Promise<void> {
  for (let index = 0; index < THREADS; index++) {
    const thread = new Worker(FILE, { stderr: true });
    await once(thread, 'message');
    for (let turn = 0; turn < index % 10; turn++) await new Promise(setImmediate);
    await thread.terminate();
  }
  process.stdout.write(`${THREADS} ended`);
}
