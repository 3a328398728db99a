import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../project/sources.js';

describe('npm start', () => {
  let dataDir: string;
  let npm: ChildProcess;

  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'lantang-start-'));
    npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...process.env, LANTANG_DATA_DIR: dataDir, LANTANG_PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true, // a group of its own, so that nothing of it outlives this test
    });
  });

  after(() => {
    try {
      process.kill(-npm.pid!, 'SIGKILL');
    } catch {
      // The whole group has ended, as it should.
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('serves a set-up clone, and ends with the service when it is told to stop', async function () {
    this.timeout(60_000); // the embedded voice is prepared first
    const lines = createInterface({ input: npm.stdout! });
    for await (const line of lines) if (line.includes('speaks on http://')) break;
    npm.stdout!.resume();
    // Closed once nobody holds npm's output any more: the service itself has ended, not npm alone.
    const closed = once(npm, 'close');
    npm.kill('SIGTERM');
    const [status, signal] = (await closed) as [number | null, NodeJS.Signals | null];
    expect(status ?? signal).to.be.oneOf([0, 'SIGTERM']); // npm may pass its own signal on to whoever started it
  });
});
