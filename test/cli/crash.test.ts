import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeDataDir } from '../prepared-folder.js';
import { serve, type Service } from './serve.js';

const KEY = 'a-key-for-the-crash-test';
const VARIABLES = { LANTANG_API_KEY: KEY, LANTANG_LOG_LEVEL: 'warn' };
const ROUNDS = 6;
const SUBMITS = 12;
const TEXT = 'Nothing that was promised is lost. Not even this second sentence, and the third one after it.';

async function ask(url: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/v2/speech/tts${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).to.equal(200);
  return (await answer.json()) as Record<string, unknown>;
}

/** Ids of the jobs whose submit was answered before the service was killed. */
async function submitUntilKilled({ url, child }: Service, round: number): Promise<string[]> {
  const accepted: string[] = [];
  const formats = ['wav', 'opus', 'mp3'];
  for (let index = 0; index < SUBMITS; index++) {
    const config = { wait: false, audio_format: formats[index % formats.length] };
    const job = await ask(url, '', { config, request: { text: TEXT, label: `${round}/${index}` } });
    accepted.push(job.job_id as string);
    // Every round ends at another moment of the jobs' lives.
    if (index === 2 + round) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      return accepted;
    }
  }
  throw new Error('The service was to be killed.');
}

async function allSettled(url: string, ids: string[]): Promise<Record<string, unknown>[]> {
  const pending = new Set(ids);
  const jobs: Record<string, unknown>[] = [];
  while (pending.size > 0) {
    for (const id of pending) {
      const { status } = await ask(url, `/${id}/status`);
      if (status !== 'complete' && status !== 'failed') continue;
      pending.delete(id);
      jobs.push(await ask(url, `/${id}?as_signed_url=true`));
    }
  }
  return jobs;
}

describe('A service that is killed', function () {
  this.timeout(300_000);
  let dataDir: string;
  let last: Service | undefined;

  before(async () => {
    dataDir = await makeDataDir();
  });

  after(async () => {
    last?.child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it('completes every job that it accepted, once, and serves no half file', async () => {
    const accepted: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      accepted.push(...(await submitUntilKilled(await serve(dataDir, VARIABLES), round)));
    }
    last = await serve(dataDir, VARIABLES);
    const jobs = await allSettled(last.url, accepted);
    for (const { status, result } of jobs) {
      expect(status).to.equal('complete');
      const { path, duration } = result as { path: string; duration: number };
      const audio = await fetch(path);
      const bytes = await audio.arrayBuffer();
      expect(audio.status).to.equal(200);
      expect(bytes.byteLength).to.equal(Number(audio.headers.get('content-length')));
      expect(duration).to.be.within(3, 20);
    }
    const list = await ask(last.url, '?per_page=100');
    expect(list.length).to.equal(accepted.length);
    const files = await readdir(join(dataDir, 'audio'), { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).to.have.length(accepted.length);
  });

  it('stops in good order when asked to', async () => {
    const { child } = last!;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).to.deep.equal([0, null]);
  });
});
