import { expect } from 'chai';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: lenient reading', () => {
  let api: Api;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const text = 'Hello there.';

  it('needs no more than a text', async () => {
    const { status, json } = await api.ann.post('/v2/speech/tts', { request: { text } });
    expect(status).to.equal(200);
    expect(json).to.deep.include({ status: 'created', request: { text } });
    expect(json.job_config).to.deep.equal({
      model: 'aidan',
      wait: false,
      pitch: 0,
      tempo: 1,
      audio_format: 'opus',
    });
  });

  it('takes engine for model', async () => {
    const { json } = await api.ann.submit({ text }, { engine: 'nadia' });
    expect(json.job_config).to.include({ model: 'nadia' }).and.not.have.property('engine');
  });

  it('takes the names that the operator mapped', async () => {
    const { json } = await api.ann.submit({ text }, { model: 'tts-dimas-formal' });
    expect([json.job_config.model, json.model.name]).to.deep.equal(['tts-dimas-formal', 'tts-dimas-formal']);
    const { json: models } = await api.ann.get('/v2/speech/tts/models');
    expect(models.map(({ name }: { name: string }) => name)).to.include.members([
      'nadia',
      'tts-dimas-formal',
    ]);
  });

  for (const [words, meaning] of [
    [[true, 1, 'true', 'True', 'T', '1', 'YES', 'y', 'On'], true],
    [[false, 0, 'false', 'FALSE', 'f', '0', 'No', 'n', 'off'], false],
  ] as const) {
    it(`reads ${words.map((word) => JSON.stringify(word)).join(' ')} as ${meaning}, in bodies and queries`, async () => {
      for (const word of words) {
        const { json } = await api.ann.submit({ text, as_data: word });
        expect(json.request.as_data, `as_data ${word}`).to.equal(meaning);
        const answer = await api.ann.get(`/v2/speech/tts/${json.job_id}?as_signed_url=${String(word)}`);
        expect(answer.status, `as_signed_url=${word}`).to.equal(200);
      }
    });
  }

  it('ignores unknown fields and takes null for absent', async () => {
    const { status, json } = await api.ann.post('/v2/speech/tts?verbose=1', {
      config: { volume: 11, model: null, wait: null, pitch: null, __proto__x: 1 },
      request: { text, label: null, voice: {}, ssml: null },
      callback: 'https://example.org',
    });
    expect(status).to.equal(200);
    expect(json.request).to.deep.equal({ text });
    expect(json.job_config).to.have.all.keys('model', 'wait', 'pitch', 'tempo', 'audio_format');
  });

  const types = [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset=utf-8',
    'application/vnd.api+json',
    'text/json',
  ];
  for (const type of types) {
    it(`takes content-type ${type}`, async () => {
      const raw = JSON.stringify({ request: { text: 'Größe 😀' } });
      const { status, json } = await api.ann.call('POST', '/v2/speech/tts', {
        raw,
        headers: { 'content-type': type },
      });
      expect([status, json.request?.text]).to.deep.equal([200, 'Größe 😀']);
    });
  }

  it('takes JSON without a content-type, with a byte order mark, and compressed', async () => {
    const body = JSON.stringify({ request: { text } });
    const head = `POST /v2/speech/tts HTTP/1.1\r\nhost: x\r\nX-API-KEY: ${api.ann.key}\r\nconnection: close\r\n`;
    const bare = await api.ann.exchange(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    expect(bare).to.match(/^HTTP\/1\.1 200 /);
    expect((await api.ann.call('POST', '/v2/speech/tts', { raw: `\ufeff${body}` })).status).to.equal(200);
    const { gzipSync } = await import('node:zlib');
    const headers = { 'content-encoding': 'gzip' };
    expect((await api.ann.call('POST', '/v2/speech/tts', { raw: gzipSync(body), headers })).status).to.equal(
      200,
    );
  });

  it('takes a GET with a content-type and an empty body', async () => {
    const answer = await api.ann.exchange(
      `GET /v2/speech/tts/count HTTP/1.1\r\nhost: x\r\nx-api-key: ${api.ann.key}\r\nconnection: close\r\n` +
        'content-type: application/json\r\ncontent-length: 0\r\n\r\n',
    );
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });

  it('takes the alias and one trailing slash on every path', async () => {
    const { json } = await api.ann.post('/v2/speech/tts-api/', { request: { text } });
    for (const path of [
      '',
      '/',
      '/count',
      '/count/',
      '/models/',
      `/${json.job_id}`,
      `/${json.job_id}/status/`,
    ]) {
      expect((await api.ann.get(`/v2/speech/tts-api${path}`)).status, path).to.equal(200);
      expect((await api.ann.get(`/v2/speech/tts${path}`)).status, path).to.equal(200);
    }
    expect((await api.ann.get('/v2/speech/tts-apis')).status).to.equal(404);
  });

  it('takes job ids without dashes and in capitals', async () => {
    const { json } = await api.ann.submit({ text });
    const id = json.job_id as string;
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const spelling of [
      id,
      id.toUpperCase(),
      id.replaceAll('-', ''),
      id.replaceAll('-', '').toUpperCase(),
    ]) {
      const answer = await api.ann.get(`/v2/speech/tts/${spelling}/status`);
      expect([answer.status, answer.json.job_id]).to.deep.equal([200, id]);
    }
  });

  it('lets the last of a repeated parameter count', async () => {
    const { json } = await api.ann.get('/v2/speech/tts?per_page=5&per_page=7');
    expect(json.pagination.per_page).to.equal(7);
  });

  it('keeps the text as it was submitted', async () => {
    const texts = [
      '  spaced \n out\t',
      '"quotes" \\ and / slashes',
      '\u0000\u0007\u001b[31mred',
      '👩‍👩‍👧 e\u0301 \u202eabc',
      "'; DROP TABLE jobs; --",
    ];
    for (const wanted of texts) {
      const { json } = await api.ann.submit({ text: wanted, label: wanted });
      expect(json.request).to.deep.equal({ text: wanted, label: wanted });
      const again = await api.ann.get(`/v2/speech/tts/${json.job_id}`);
      expect(again.json.request, JSON.stringify(wanted)).to.deep.equal({ text: wanted, label: wanted });
    }
  });
});
