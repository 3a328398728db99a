import { expect } from 'chai';
import { appendFileSync, mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startScriptedApi, type ScriptedApi } from './scripted-server.js';
import { untilStatus } from './polling.js';

describe('api: faults', () => {
  let api: ScriptedApi;
  beforeEach(async () => {
    api = await startScriptedApi();
  });
  afterEach(() => api.close());

  it('tells of a failed job what its caller can do', async () => {
    const { status, json } = await api.ann.submit({ text: 'fail nothing_to_speak' }, { wait: true });
    expect([status, json.status]).to.deep.equal([200, 'failed']);
    expect(json.result).to.deep.equal({
      error: 'It failed with nothing_to_speak.',
      code: 'nothing_to_speak',
      recovery: { retryable: false },
    });
    const listed = (await api.ann.get('/v2/speech/tts')).json.data[0];
    expect([listed.status, listed.result]).to.deep.equal(['failed', json.result]);
    const archived = await api.ann.delete(`/v2/speech/tts/${json.job_id}`);
    expect([archived.json.status, archived.json.result]).to.deep.equal(['failed', json.result]);
  });

  it('shows a job that is tried again as queued', async () => {
    const { json } = await api.ann.submit({ text: 'fail inference_failed' });
    await untilStatus(api.ann, json.job_id, 'queued');
    expect((await api.ann.get(`/v2/speech/tts/${json.job_id}`)).json).to.not.have.property('result');
    const archived = await api.ann.delete(`/v2/speech/tts/${json.job_id}`);
    expect([archived.status, archived.json.status]).to.deep.equal([200, 'cancelled']);
  });

  it('says that the audio is gone, and still knows the job', async () => {
    const { json } = await api.ann.submit({ text: 'To be lost.' }, { wait: true });
    const { json: signed } = await api.ann.get(`/v2/speech/tts/${json.job_id}?as_signed_url=1`);
    await rm(join(api.dataDir, 'artifacts'), { recursive: true });
    for (const query of ['', '?as_signed_url=1']) {
      const gone = await api.ann.get(`/v2/speech/tts/${json.job_id}${query}`);
      expect([gone.status, gone.json.status]).to.deep.equal([200, 'complete']);
      expect(gone.json.result).to.not.have.any.keys('data', 'path');
      expect(gone.json.result).to.deep.include({
        error: 'The audio is no longer stored: submit the text again.',
        code: 'file_not_found',
        recovery: { retryable: false },
      });
    }
    expect(api.log.join('')).to.include('the audio of a job is lost');
    const file = await api.ann.get(signed.result.path as string, { key: null });
    expect([file.status, file.json.status]).to.deep.equal([404, 'file_not_found']);
    expect((await api.ann.get(`/v2/speech/tts/${json.job_id}/status`)).json.status).to.equal('complete');
  });

  for (const [what, damage] of [
    ['cut short', (path: string) => truncateSync(path, 100)],
    ['longer than it was', (path: string) => appendFileSync(path, 'more')],
    ['a folder', (path: string) => (rmSync(path), mkdirSync(path))],
  ] as const) {
    it(`never sends a file that is ${what}, and says so`, async () => {
      const { json } = await api.ann.submit({ text: 'To be damaged.' }, { wait: true });
      const path = `/v2/speech/tts/${json.job_id}`;
      const { json: signed } = await api.ann.get(`${path}?as_signed_url=1`);
      damage(artifactPath(api.dataDir));
      const { status, json: job } = await api.ann.get(path);
      expect([status, job.status, job.result.code]).to.deep.equal([200, 'complete', 'file_damaged']);
      expect(job.result).to.not.have.property('data');
      for (const headers of [{}, { range: 'bytes=0-9' }] as Record<string, string>[]) {
        const file = await api.ann.get(signed.result.path as string, { key: null, headers });
        expect([file.status, file.json.status]).to.deep.equal([500, 'file_damaged']);
      }
      expect(api.log.join('')).to.include('artifact_damaged');
    });
  }

  it('tells a waiting caller the moment its job is cancelled', async () => {
    const waiting = api.ann.submit({ text: 'fail inference_failed' }, { wait: true });
    let id: string | undefined;
    while (id === undefined) {
      id = (await api.ann.get('/v2/speech/tts')).json.data[0]?.job_id as string | undefined;
    }
    // While it is tried it cannot be cancelled; between two tries it can.
    while ((await api.ann.delete(`/v2/speech/tts/${id}`)).status !== 200);
    const { json } = await waiting;
    expect([json.job_id, json.status]).to.deep.equal([id, 'cancelled']);
  });

  it('answers a stream that fails before any audio with an error', async () => {
    const cases: [text: string, status: number, code: string][] = [
      ['fail nothing_to_speak', 400, 'nothing_to_speak'],
      ['fail bug', 500, 'internal_server_error'],
      ['fail inference_failed', 500, 'internal_server_error'],
    ];
    for (const [input, status, code] of cases) {
      const { status: given, json } = await api.ann.post('/v1/audio/speech', {
        input,
        response_format: 'pcm',
      });
      expect([given, json.error.code], input).to.deep.equal([status, code]);
    }
  });

  it('breaks off a stream that fails in the middle, and lives on', async () => {
    const broken = api.ann.post('/v1/audio/speech', {
      input: 'break inference_failed',
      response_format: 'pcm',
    });
    expect(
      await broken.then(
        () => 'whole',
        () => 'broken off',
      ),
    ).to.equal('broken off');
    expect((await api.ann.submit({ text: 'Still here.' }, { wait: true })).json.status).to.equal('complete');
  });

  it('names a request that failed inside by its id only', async () => {
    const { json, headers } = await api.ann.post('/v1/audio/speech', {
      input: 'fail bug',
      response_format: 'pcm',
    });
    expect(JSON.stringify(json)).to.not.include('secret internals');
    const id = headers.get('x-request-id');
    const lines = api.log.map(
      (line) => JSON.parse(line) as { requestId?: string; err?: { message: string } },
    );
    expect(lines.find((line) => line.err)).to.deep.include({ requestId: id });
  });

  it('logs one line a request, without keys, texts and signatures', async () => {
    const text = 'A text that nobody else may read.';
    const { json } = await api.ann.submit({ text }, { wait: true });
    const { json: signed } = await api.ann.get(
      `/v2/speech/tts/${json.job_id}?as_signed_url=1&query_text=hidden`,
    );
    const url = new URL(signed.result.path as string);
    await api.ann.get(url.href, { key: null });
    await api.ann.get(`/x%0a{"level":60}`);
    const log = api.log.join('');
    expect(api.log.every((line) => line.split('\n').length === 2)).to.equal(true);
    for (const secret of [api.ann.key, text, url.searchParams.get('signature')!, 'hidden']) {
      expect(log).to.not.include(secret);
    }
    expect(log).to.include(`/v2/speech/tts/${json.job_id}`).and.include('"user":"ann-');
  });

  it('refuses submits while the service stops, and says when to come back', async () => {
    await api.stopJobs();
    const { status, json, headers } = await api.ann.submit({ text: 'Too late.' });
    expect([status, json.status, json.recovery.retryable]).to.deep.equal([503, 'service_draining', true]);
    expect(headers.get('retry-after')).to.match(/^\d+$/);
  });

  it('shows that it is not ready', async () => {
    api.readiness.ready = false;
    const { status, json } = await api.ann.get('/readyz');
    expect([status, json.ready]).to.deep.equal([503, false]);
    expect((await api.ann.get('/healthz')).status).to.equal(200);
  });
});

/** The only artifact of a server. */
function artifactPath(dataDir: string): string {
  const files = readdirSync(join(dataDir, 'artifacts'), { recursive: true, withFileTypes: true });
  const { parentPath, name } = files.find((entry) => entry.isFile())!;
  return join(parentPath, name);
}
