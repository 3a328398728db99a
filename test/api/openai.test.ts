import { expect } from 'chai';
import { LONG_TEXT } from './polling.js';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: OpenAI’s speech endpoint', () => {
  let api: Api;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const speak = (body: object) =>
    fetch(`${api.ann.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.ann.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input: 'Hello there.', ...body }),
    });

  const formats: [format: string, contentType: string, magic: RegExp][] = [
    ['mp3', 'audio/mpeg', /^(ID3|\xff[\xe2-\xfb])/],
    ['opus', 'audio/ogg', /^OggS/],
    ['aac', 'audio/mp4', /^....ftyp/s],
    ['flac', 'audio/flac', /^fLaC/],
    ['wav', 'audio/wav', /^RIFF....WAVE/s],
    ['pcm', 'audio/pcm', /^/],
  ];
  for (const [format, contentType, magic] of formats) {
    it(`speaks ${format}`, async () => {
      const response = await speak({ response_format: format });
      expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, contentType]);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.toString('latin1')).to.match(magic);
      expect(bytes.length).to.be.greaterThan(1000);
    });
  }

  it('gives MP3 unless asked otherwise', async () => {
    const response = await speak({ response_format: undefined });
    expect(response.headers.get('content-type')).to.equal('audio/mpeg');
    await response.arrayBuffer();
  });

  it('gives 24 kHz PCM that gets shorter with speed', async () => {
    const length = async (speed: number) =>
      (
        await (
          await speak({ response_format: 'pcm', speed, input: 'A sentence that is long enough to measure.' })
        ).arrayBuffer()
      ).byteLength;
    const [slow, normal, fast] = [await length(0.5), await length(1), await length(2)];
    expect(slow / normal).to.be.within(1.6, 2.2);
    expect(normal / fast).to.be.within(1.6, 2.2);
    expect(normal / 2 / 24000).to.be.within(1, 6);
  });

  it('sends the first audio long before the last', async () => {
    const response = await speak({ input: LONG_TEXT, response_format: 'pcm' });
    const reader = response.body!.getReader();
    const first = await reader.read();
    expect(first.value!.length).to.be.greaterThan(0);
    const { json } = await api.ann.get('/readyz');
    expect(json.ready).to.equal(true);
    let pieces = 1;
    while (!(await reader.read()).done) pieces++;
    expect(pieces).to.be.greaterThan(10);
  });

  it('sends the same audio as events', async () => {
    const plain = Buffer.from(await (await speak({ response_format: 'pcm' })).arrayBuffer());
    const response = await speak({ response_format: 'pcm', stream_format: 'sse' });
    expect(response.headers.get('content-type')).to.match(/^text\/event-stream/);
    const events = (await response.text())
      .trim()
      .split('\n\n')
      .map(
        (block) =>
          JSON.parse(block.replace(/^data: /, '')) as { type: string; audio?: string; usage?: object },
      );
    const last = events.pop()!;
    expect(last).to.deep.equal({
      type: 'speech.audio.done',
      usage: { input_tokens: 12, output_tokens: 0, total_tokens: 12 },
    });
    expect(new Set(events.map(({ type }) => type))).to.deep.equal(new Set(['speech.audio.delta']));
    const joined = Buffer.concat(events.map(({ audio }) => Buffer.from(audio!, 'base64')));
    expect(joined.equals(plain)).to.equal(true);
  });

  it('takes the names of local models as voice or model', async () => {
    for (const names of [
      { voice: 'nadia' },
      { voice: undefined, model: 'nadia' },
      { voice: 'tts-dimas-formal' },
      { voice: null },
    ]) {
      const response = await speak({ response_format: 'pcm', ...names });
      expect(response.status, JSON.stringify(names)).to.equal(200);
      await response.arrayBuffer();
    }
  });

  it('answers errors in OpenAI’s shape', async () => {
    const cases: [body: object, status: number, code: string, param: string | null][] = [
      [{ voice: 'nobody' }, 400, 'tts_model_not_found', null],
      [{ input: ' ' }, 400, 'tts_request_no_text_data', null],
      [{ input: undefined }, 422, 'request_validation_error', 'input'],
      [{ input: 'x'.repeat(5001) }, 400, 'tts_request_too_large', null],
      [{ speed: 5 }, 422, 'request_validation_error', 'speed'],
      [{ response_format: 'midi' }, 422, 'request_validation_error', 'response_format'],
    ];
    for (const [body, status, code, param] of cases) {
      const response = await speak(body);
      const { error } = (await response.json()) as { error: { message: string; type: string } };
      expect([response.status, error]).to.deep.equal([
        status,
        { message: error.message, type: 'invalid_request_error', param, code },
      ]);
    }
    const unknown = await api.ann.post('/v1/audio/speech', { input: 'Hello.' }, { key: 'bad' });
    expect([unknown.status, unknown.json.error.code]).to.deep.equal([401, 'auth_invalid_api_key']);
  });

  it('stops speaking when the listener leaves', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${api.ann.url}/v1/audio/speech`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${api.ann.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: LONG_TEXT, response_format: 'pcm' }),
    });
    await response.body!.getReader().read();
    leaving.abort();
    const { json } = await api.ann.submit({ text: 'The service still works.' }, { wait: true });
    expect(json.status).to.equal('complete');
  });

  it('lists models and voices', async () => {
    const headers = { authorization: `Bearer ${api.ann.key}` };
    const models = (await api.ann.get('/v1/models', { key: null, headers })).json;
    expect(models.object).to.equal('list');
    expect(models.data.map(({ id }: { id: string }) => id)).to.include('tts-1');
    const { voices } = (await api.ann.get('/v1/audio/voices', { key: null, headers })).json;
    expect(voices.map(({ id }: { id: string }) => id)).to.include('nadia');
  });
});
