import { expect } from 'chai';
import { Exposition } from '../metrics/exposition.js';
import { startApi } from './server.js';
import type { Api } from './users.js';

const REQUESTS = 'lantang_http_request_duration_seconds';

describe('api: metrics', function () {
  this.timeout(60_000);
  let api: Api;
  before(async () => {
    api = await startApi({});
  });
  after(() => api.close());

  async function scrape(): Promise<Exposition> {
    const { status, headers, bytes } = await api.ann.get('/metrics', { key: null });
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    return new Exposition(bytes.toString());
  }

  it('count requests under the path of their route, and what was spoken', async () => {
    const before = await scrape();
    const text = 'Metrics count what is said.';
    const { json } = await api.ann.submit({ text }, { wait: true });
    expect(json.status).to.equal('complete');
    await api.ann.submit({ text }, { wait: true });
    await api.ann.get(`/v2/speech/tts/${json.job_id}/status`);
    await api.ann.get('/nothing/here');
    await api.ann.get('/v2/speech/tts/count');
    await api.ann.call('DELETE', '/v2/speech/tts/count');
    const after = await scrape();
    const more = (read: (exposition: Exposition) => number | undefined) => read(after)! - (read(before) ?? 0);
    const answered = (method: string, route: string, status: string) =>
      more((told) => told.count(REQUESTS, { method, route, status }));
    expect(answered('POST', '/v2/speech/tts', '200')).to.equal(2);
    expect(answered('GET', '/v2/speech/tts/{job_id}/status', '200')).to.equal(1);
    expect(answered('GET', '/v2/speech/tts/count', '200')).to.equal(1);
    expect(answered('DELETE', '/v2/speech/tts/count', '405')).to.equal(1);
    expect(answered('GET', 'none', '404')).to.equal(1);
    expect(answered('GET', '/metrics', '200')).to.equal(1);
    expect(more((told) => told.value('lantang_speech_characters_total'))).to.equal(2 * text.length);
    expect(more((told) => told.value('lantang_speeches_total', { outcome: 'complete' }))).to.equal(2);
    expect(more((told) => told.value('lantang_jobs_settled_total', { status: 'complete' }))).to.equal(2);
    expect(more((told) => told.value('lantang_lane_rows_total'))).to.equal(1);
    expect(more((told) => told.value('lantang_segment_cache_answers_total', { source: 'memory' }))).to.equal(
      1,
    );
    expect(after.value('lantang_jobs', { state: 'ready' })).to.equal(0);
    expect(after.value('lantang_phonemizer_processes', { state: 'alive' })).to.be.greaterThan(0);
  });

  it('count the runs of ffmpeg', async () => {
    const before = (await scrape()).value('lantang_ffmpeg_runs_total')!;
    await api.ann.submit({ text: 'In another format.' }, { wait: true, audio_format: 'mp3' });
    expect((await scrape()).value('lantang_ffmpeg_runs_total')! - before).to.be.at.least(1);
  });

  it('name no route, text, user or key that a client brought', async () => {
    await api.ann.submit({ text: 'Xylophones are confidential.' }, { wait: true });
    await api.ann.get('/v2/speech/tts/xylophone-17');
    await api.ann.get('/xylophone-18');
    const { bytes } = await api.ann.get('/metrics', { key: null });
    expect(bytes.toString())
      .to.not.match(/xylophone|ann-\d/i)
      .and.not.include(api.ann.key);
  });

  it('ask for an admin key as soon as the request was passed on', async () => {
    for (const header of ['x-forwarded-for', 'forwarded', 'via']) {
      const options = { key: null, headers: { [header]: 'for=192.0.2.1' } };
      const { status, json } = await api.ann.get('/metrics', options);
      expect([status, json.status]).to.deep.equal([401, 'auth_unauthorized']);
    }
    const refused = await api.ann.get('/metrics', { headers: { via: '1.1 proxy' } });
    expect([refused.status, refused.json.status]).to.deep.equal([403, 'forbidden']);
    // The first key may do everything.
    const admitted = await api.ann
      .as('the-first-key-of-all')
      .get('/metrics', { headers: { via: '1.1 proxy' } });
    expect(admitted.status).to.equal(200);
  });

  it('are documented like the other doors for operators', async () => {
    const { json } = await api.ann.get('/openapi.json', { key: null });
    const { get } = json.paths['/metrics'];
    expect([get.tags, get.security]).to.deep.equal([['Operation'], []]);
    expect(Object.keys(get.responses['200'].content)).to.deep.equal(['text/plain']);
  });

  for (const [access, status] of [
    ['key', 401],
    ['off', 404],
  ] as const) {
    it(`answer ${status} without a key where LANTANG_METRICS is ${access}`, async () => {
      const own = await startApi({ metrics: access });
      try {
        expect((await own.ann.get('/metrics', { key: null })).status).to.equal(status);
      } finally {
        await own.close();
      }
    });
  }

  it('are open to all where LANTANG_METRICS is open', async () => {
    const own = await startApi({ metrics: 'open' });
    try {
      const passedOn = { key: null, headers: { 'x-forwarded-for': '192.0.2.1' } };
      expect((await own.ann.get('/metrics', passedOn)).status).to.equal(200);
    } finally {
      await own.close();
    }
  });
});
