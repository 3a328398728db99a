import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { childrenOf, describeWithFfmpeg, eventually, isRunning, scriptedFfmpeg } from '../audio/ffmpeg.js';
import { makeDataDir } from '../prepared-folder.js';
import { serve } from './serve.js';

const KEY = 'a-key-for-the-stuck-ffmpeg';

describeWithFfmpeg('A service whose ffmpeg hangs', function () {
  this.timeout(60_000);
  let dataDir: string;
  let service: ChildProcess;
  let url: string;

  beforeEach(async () => {
    dataDir = await makeDataDir();
    const hanging = scriptedFfmpeg(join(dataDir, 'hanging'), 'sleep 1000; true');
    ({ url, child: service } = await serve(dataDir, {
      LANTANG_API_KEY: KEY,
      LANTANG_LOG_LEVEL: 'error',
      LANTANG_FFMPEG: hanging,
      LANTANG_DRAIN_SECONDS: '1',
    }));
  });
  afterEach(async () => {
    service.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Submits a job that ffmpeg never encodes; ids of everything between the service and the end of the script. */
  async function getStuck(): Promise<[helper: number, shell: number, sleep: number]> {
    const answer = await fetch(`${url}/v2/speech/tts`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ config: { audio_format: 'mp3' }, request: { text: 'Never heard.' } }),
    });
    expect(answer.status).to.equal(200);
    return eventually(() => {
      for (const helper of childrenOf(service.pid!))
        for (const shell of childrenOf(helper))
          for (const sleep of childrenOf(shell)) return [helper, shell, sleep] as [number, number, number];
      return undefined;
    });
  }

  for (const helperToo of [false, true]) {
    it(`stops in good order${helperToo ? ', though its helper stands still' : ''}`, async () => {
      const stuck = await getStuck();
      if (helperToo) process.kill(stuck[0], 'SIGSTOP');
      const exited = once(service, 'exit');
      service.kill('SIGTERM');
      expect(await exited).to.deep.equal([0, null]);
      await eventually(() => !stuck.some(isRunning));
    });
  }

  it('leaves nothing when it is killed', async () => {
    const stuck = await getStuck();
    service.kill('SIGKILL');
    await eventually(() => !stuck.some(isRunning));
  });
});
