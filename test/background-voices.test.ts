import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startServer, type RunningServer } from '../src/main.js';
import { makeDataDir } from './prepared-folder.js';
import { copyVoice } from './voices/prepared-voices.js';

/** The speakers of the default voice, which is prepared before the service listens; other tests prepare more. */
const FIRST = ['nadia', 'aidan'];
const KEY = 'a-key-for-voices-that-come-later';
/** Asking without a pause would take the processor from what is waited for. */
const POLL_MILLISECONDS = 100;
/** ModelProto's doc_string, which nothing reads: the same voice with another SHA-256. */
const NOTE = Buffer.from([0x32, 0x01, 0x78]);

describe('A service with voices that were never prepared', function () {
  this.timeout(300_000);
  let dataDir: string;
  let modelsDir: string;

  before(async () => {
    dataDir = await makeDataDir();
    modelsDir = await mkdtemp(join(tmpdir(), 'lantang-later-'));
    await appendFile(copyVoice(modelsDir, 'later'), NOTE);
    await writeFile(join(modelsDir, 'broken.onnx'), 'no model');
  });

  after(async () => {
    await rm(dataDir, { recursive: true, force: true });
    await rm(modelsDir, { recursive: true, force: true });
  });

  const start = () =>
    startServer({ dataDir, modelsDir, port: 0, logLevel: 'fatal', apiKey: KEY, drainSeconds: 0 });

  async function models({ url }: RunningServer): Promise<string[]> {
    const answer = await fetch(`${url}/v2/speech/tts/models`, { headers: { 'x-api-key': KEY } });
    return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
  }

  it('stops at once while one is being prepared', async () => {
    const server = await start();
    expect(await models(server))
      .to.include.members(FIRST)
      .and.not.include('later');
    await server.close();
  });

  it('serves without them, is ready, and lists each from when it can speak', async () => {
    const server = await start();
    try {
      expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
      let names = await models(server);
      expect(names).to.include.members(FIRST).and.not.include('later');
      while (!(names.includes('later') && names.includes('sari'))) {
        await pause(POLL_MILLISECONDS);
        names = await models(server);
      }
      const spoken = await fetch(`${server.url}/v2/speech/tts`, {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ config: { wait: true, model: 'later' }, request: { text: 'Here I am.' } }),
      });
      expect(await spoken.json()).to.include({ status: 'complete' });
    } finally {
      await server.close();
    }
  });
});
