import { expect } from 'chai';
import { startApi } from './server.js';
import type { Api } from './users.js';
import type { ApiAnswer } from './client.js';

const UNKNOWN_JOB = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('api: the error table', () => {
  let api: Api;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  function expectError(answer: ApiAnswer, status: number, code: string, context?: unknown): void {
    expect([answer.status, answer.json?.status]).to.deep.equal([status, code]);
    expect(answer.json.message).to.match(/^\S.*[.)]$/s);
    expect(answer.json.request_id).to.equal(answer.headers.get('x-request-id'));
    expect(answer.json.recovery.retryable).to.be.a('boolean');
    if (context !== undefined) expect(answer.json.context).to.deep.equal(context);
  }

  const keyed: [method: string, path: string][] = [
    ['GET', '/v2/speech/tts/models'],
    ['GET', '/v2/speech/tts'],
    ['POST', '/v2/speech/tts'],
    ['GET', '/v2/speech/tts/count'],
    ['GET', `/v2/speech/tts/${UNKNOWN_JOB}`],
    ['GET', `/v2/speech/tts/${UNKNOWN_JOB}/status`],
    ['GET', `/v2/speech/tts/${UNKNOWN_JOB}/marks`],
    ['DELETE', `/v2/speech/tts/${UNKNOWN_JOB}`],
  ];
  for (const [method, path] of keyed) {
    it(`${method} ${path} wants a key`, async () => {
      expectError(await api.ann.call(method, path, { key: null }), 401, 'auth_unauthorized');
      expectError(await api.ann.call(method, path, { key: 'not-a-key' }), 401, 'auth_invalid_api_key');
      expectError(await api.ann.call(method, path, { key: '%00\u00e9' }), 401, 'auth_invalid_api_key');
    });
  }

  it('takes the key as a bearer token too', async () => {
    const headers = { authorization: `Bearer ${api.ann.key}` };
    expect((await api.ann.get('/v2/speech/tts/count', { key: null, headers })).status).to.equal(200);
  });

  it('refuses a key without the scope', async () => {
    expectError(await api.reader.submit({ text: 'Hello.' }), 403, 'forbidden', { scope: 'submit' });
    expectError(await api.reader.delete(`/v2/speech/tts/${UNKNOWN_JOB}`), 403, 'forbidden');
    expect((await api.reader.get('/v2/speech/tts')).status).to.equal(200);
  });

  it('names a model that does not exist', async () => {
    for (const model of ['nobody', '', '../nadia', '__proto__']) {
      expectError(await api.ann.submit({ text: 'Hello.' }, { model }), 400, 'tts_model_not_found', { model });
    }
  });

  it('wants something to say', async () => {
    for (const request of [{}, { text: null }, { text: '' }, { text: ' \n\t\u00a0' }, { ssml: '' }]) {
      expectError(await api.ann.submit(request), 400, 'tts_request_no_text_data');
    }
    expectError(await api.ann.post('/v2/speech/tts', {}), 400, 'tts_request_no_text_data');
    expectError(
      await api.ann.post('/v2/speech/tts', { request: null, config: null }),
      400,
      'tts_request_no_text_data',
    );
  });

  it('tells what is too long, in code points', async () => {
    const tooLong = { length: 281, maximum: 280 };
    expectError(
      await api.ann.submit({ text: '😀'.repeat(281) }, { wait: true }),
      400,
      'tts_request_not_waitable',
      tooLong,
    );
    const much = { length: 5001, maximum: 5000 };
    expectError(await api.ann.submit({ text: 'é'.repeat(5001) }), 400, 'tts_request_too_large', much);
  });

  it('names every fault of a request in one answer', async () => {
    const answer = await api.ann.post('/v2/speech/tts?as_signed_url=perhaps', {
      config: { tempo: 2.01, pitch: -10.5, wait: 'perhaps', audio_format: 'midi', sample_rate: 44000 },
      request: { text: 1, label: 'x'.repeat(256) },
    });
    expectError(answer, 422, 'request_validation_error');
    const places = answer.json.context.map((fault: { location: string[] }) => fault.location.join('.'));
    expect(places).to.have.members([
      'query.as_signed_url',
      'body.config.tempo',
      'body.config.pitch',
      'body.config.wait',
      'body.config.audio_format',
      'body.config.sample_rate',
      'body.request.text',
      'body.request.label',
    ]);
    for (const fault of answer.json.context) expect(fault).to.have.all.keys('location', 'message', 'status');
  });

  const malformed: [what: string, raw: string | Buffer][] = [
    ['cut off', '{"request":{"text":"a"'],
    ['not JSON', 'text=hello'],
    ['two values', '{}{}'],
    ['a number', '7'],
    ['an array', '[]'],
    ['a string', '"text"'],
    ['null', 'null'],
    ['nothing', ''],
    ['deeply nested', '['.repeat(50_000)],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
  ];
  for (const [what, raw] of malformed) {
    it(`refuses a body that is ${what}`, async () => {
      const answer = await api.ann.call('POST', '/v2/speech/tts', { raw });
      expectError(answer, 422, 'request_validation_error');
      expect(answer.json.context[0].location).to.deep.equal(['body']);
    });
  }

  it('names each field once, and what cannot be read by what it is', async () => {
    const answer = await api.ann.post('/v2/speech/tts', {
      config: { sample_rate: '48000', audio_format: 7 },
      request: { text: 'Hello.' },
    });
    expectError(answer, 422, 'request_validation_error');
    expect(answer.json.context).to.have.length(2);
    const large = await api.ann.call('POST', '/v2/speech/tts', {
      raw: '{"config":{"tempo":1e400,"pitch":-1e400},"request":{"text":"Hello."}}',
    });
    expect(large.json.context).to.have.length(2);
    expect(large.json.message).to.include('is too large a number').and.not.include('null');
  });

  it('says that an encoding is not known, not that the type is wrong', async () => {
    const headers = { 'content-encoding': 'zstd' };
    const answer = await api.ann.submit({ text: 'Hello.' }, {}, { headers });
    expectError(answer, 415, 'unsupported_media_type', { content_encoding: 'zstd' });
    expect(answer.json.message).to.include('content-encoding');
  });

  it('says little of what it was sent back', async () => {
    const long = 'a'.repeat(9000);
    for (const answer of [
      await api.ann.get(`/v2/speech/tts/${long}`),
      await api.ann.submit({ ssml: `<speak><${long}>x</${long}></speak>` }),
      await api.ann.submit({ text: 'Hello.' }, { model: long, audio_format: long, pitch: long }),
    ])
      expect(answer.bytes.length).to.be.within(1, 3000);
  });

  it('refuses both of text and SSML', async () => {
    const answer = await api.ann.submit({ text: 'a', ssml: '<speak>a</speak>' });
    expectError(answer, 422, 'request_validation_error');
    expect(answer.json.context[0].location).to.deep.equal(['body', 'request']);
  });

  for (const key of ['a b', '', 'k'.repeat(256)]) {
    it(`refuses ${JSON.stringify(key).slice(0, 20)} as idempotency key: no plain token`, async () => {
      const headers = { 'idempotency-key': key };
      const answer = await api.ann.submit({ text: 'Hello.' }, {}, { headers });
      expectError(answer, 422, 'request_validation_error');
      expect(answer.json.context[0].location).to.deep.equal(['header', 'idempotency-key']);
    });
  }

  const wrongQueries: [query: string, parameter: string][] = [
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=one', 'page'],
    ['page=1.5', 'page'],
    ['page=9007199254740993', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['from_date=2023-02-29', 'from_date'],
    ['until_date=tomorrow', 'until_date'],
    ['sort_by=voice', 'sort_by'],
    ['sort_ascend=maybe', 'sort_ascend'],
  ];
  for (const [query, parameter] of wrongQueries) {
    it(`refuses a list with ${query}`, async () => {
      const answer = await api.ann.get(`/v2/speech/tts?${query}`);
      expectError(answer, 422, 'request_validation_error');
      expect(answer.json.context).to.have.length(1);
      expect(answer.json.context[0].location).to.deep.equal(['query', parameter]);
    });
  }

  it('refuses a count with a wrong date', async () => {
    expectError(await api.ann.get('/v2/speech/tts/count?from_date=1'), 422, 'request_validation_error');
  });

  const strangeIds = [
    UNKNOWN_JOB,
    'x',
    'counts',
    '%00',
    '%2e%2e%2fmodels',
    "1'%20or%20'1'='1",
    'a%zz',
    '%F0%9F%98%80',
  ];
  for (const id of strangeIds) {
    it(`finds no job ${id}`, async () => {
      expectError(await api.ann.get(`/v2/speech/tts/${id}`), 404, 'job_not_found');
      expectError(await api.ann.get(`/v2/speech/tts/${id}/status`), 404, 'job_not_found');
      expectError(await api.ann.get(`/v2/speech/tts/${id}/marks`), 404, 'job_not_found');
      expectError(await api.ann.delete(`/v2/speech/tts/${id}`), 404, 'job_not_found');
    });
  }

  it('knows where nothing is', async () => {
    for (const path of [
      '/nothing',
      '/v2',
      '/v2/speech/tts//count',
      '/v3/speech/tts',
      '/v2/speech/tts/a/b/c',
      '/%zz',
    ]) {
      expectError(await api.ann.get(path), 404, 'route_not_found');
    }
  });

  const methods: [method: string, path: string, allow: string][] = [
    ['PUT', '/v2/speech/tts', 'POST, GET, HEAD'],
    ['POST', '/v2/speech/tts/count', 'GET, HEAD'],
    ['DELETE', '/v2/speech/tts/count', 'GET, HEAD'],
    ['DELETE', '/v2/speech/tts/models', 'GET, HEAD'],
    ['PATCH', `/v2/speech/tts/${UNKNOWN_JOB}`, 'GET, HEAD, DELETE'],
    ['POST', '/healthz', 'GET, HEAD'],
  ];
  for (const [method, path, allow] of methods) {
    it(`${method} ${path} is not allowed`, async () => {
      const answer = await api.ann.call(method, path);
      expect([answer.status, answer.json.status]).to.deep.equal([405, 'method_not_allowed']);
      expect(answer.headers.get('allow')).to.equal(allow);
    });
  }

  it('takes JSON only', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
    ]) {
      const answer = await api.ann.call('POST', '/v2/speech/tts', {
        raw: '{}',
        headers: { 'content-type': type },
      });
      expectError(answer, 415, 'unsupported_media_type');
    }
    const headers = { 'content-encoding': 'rot13' };
    expectError(
      await api.ann.call('POST', '/v2/speech/tts', { raw: '{}', headers }),
      415,
      'unsupported_media_type',
    );
  });

  it('takes UTF-8 only, and replaces nothing that is none', async () => {
    const raw = Buffer.from('{"request": {"text": "\xff\xfe"}}', 'latin1');
    expectError(await api.ann.call('POST', '/v2/speech/tts', { raw }), 422, 'request_validation_error', [
      { location: ['body'], message: 'The body is not UTF-8.', status: 'malformed_json' },
    ]);
    for (const charset of ['utf-16', 'latin1']) {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      const answer = await api.ann.call('POST', '/v2/speech/tts', { raw: '{}', headers });
      expectError(answer, 415, 'unsupported_media_type', { charset });
    }
  });

  it('bounds the body, told beforehand or not', async () => {
    const raw = JSON.stringify({ request: { text: 'x'.repeat(300 * 1024) } });
    expectError(await api.ann.call('POST', '/v2/speech/tts', { raw }), 413, 'request_entity_too_large', {
      maximum: 256 * 1024,
    });
    const chunk = 'x'.repeat(64 * 1024);
    const answer = await api.ann.exchange(
      `POST /v2/speech/tts HTTP/1.1\r\nhost: x\r\nx-api-key: ${api.ann.key}\r\nconnection: close\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n' +
        `10000\r\n${chunk}\r\n`.repeat(6) +
        '0\r\n\r\n',
    );
    expect(answer)
      .to.match(/^HTTP\/1\.1 413 /)
      .and.include('request_entity_too_large');
  });

  it('never tells what is inside', async () => {
    const answers = await Promise.all([
      api.ann.get(`/v2/speech/tts/${UNKNOWN_JOB}`),
      api.ann.call('POST', '/v2/speech/tts', { raw: '{"request": {"text": secret' }),
      api.ann.get('/nothing'),
    ]);
    for (const { bytes } of answers)
      expect(bytes.toString()).to.not.match(/secret|node_modules|\.js|sqlite|at \w+ \(/i);
  });
});
