import { expect } from 'chai';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: documents and health', () => {
  let api: Api;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('says that it lives and is ready, without a key', async () => {
    expect((await api.ann.get('/healthz', { key: null })).json).to.deep.equal({ status: 'ok' });
    const ready = await api.ann.get('/readyz', { key: null });
    expect([ready.status, ready.json.ready]).to.deep.equal([200, true]);
  });

  it('publishes every endpoint of the interface', async () => {
    const { json } = await api.ann.get('/openapi.json', { key: null });
    expect(json.openapi).to.equal('3.1.0');
    const operations = Object.entries(json.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).to.include.members([
      'GET /v2/speech/tts/models',
      'GET /v2/speech/tts',
      'POST /v2/speech/tts',
      'GET /v2/speech/tts/count',
      'GET /v2/speech/tts/{job_id}',
      'DELETE /v2/speech/tts/{job_id}',
      'GET /v2/speech/tts/{job_id}/status',
      'GET /v2/speech/tts/{job_id}/marks',
      'POST /v1/audio/speech',
    ]);
  });

  it('refers only to schemas that the document has', async () => {
    const { json, bytes } = await api.ann.get('/openapi.json', { key: null });
    const names = [...bytes.toString().matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1]!,
    );
    expect(names).to.include.members(['TtsJob', 'TtsModel', 'TtsJobRequest', 'Error']);
    for (const name of names) expect(json.components.schemas).to.have.property(name);
  });

  it('shows a page that loads nothing from elsewhere', async () => {
    const page = await api.ann.get('/docs', { key: null });
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).to.include("default-src 'none'");
    const html = page.bytes.toString();
    expect(html).to.include('/v2/speech/tts/{job_id}').and.include('tts_request_not_waitable');
    expect(html).to.not.match(/<script|src=|https?:\/\//);
  });

  it('lists models as a bare array', async () => {
    const { json } = await api.ann.get('/v2/speech/tts/models');
    const nadia = json.find(({ name }: { name: string }) => name === 'nadia');
    expect(Object.keys(nadia).slice(0, 8)).to.deep.equal([
      ...['name', 'label', 'language', 'domain', 'voice', 'gender', 'channels', 'samplerate'],
    ]);
    expect(nadia).to.include({ language: 'en-US', channels: 1 });
  });
});
