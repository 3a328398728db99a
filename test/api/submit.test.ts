import { expect } from 'chai';
import { untilSettled } from './polling.js';
import { startApi } from './server.js';
import type { Api } from './users.js';

const RESULT_FIELDS = ['data', 'format', 'duration', 'samplerate', 'channels', 'texts', 'latency'];

describe('api: submit and retrieve', () => {
  let api: Api;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('answers a waiting submit with the audio', async () => {
    const { status, json, headers } = await api.ann.submit(
      { text: 'Good morning. How are you?', label: 'greeting' },
      { wait: true },
    );
    expect(status).to.equal(200);
    expect(Object.keys(json)).to.deep.equal([
      ...['job_id', 'status', 'created_at', 'modified_at', 'request', 'result', 'job_config', 'model'],
    ]);
    expect(json.status).to.equal('complete');
    expect(Object.keys(json.result)).to.deep.equal(RESULT_FIELDS);
    expect(json.request).to.deep.equal({ text: 'Good morning. How are you?', label: 'greeting' });
    expect(json.job_config).to.deep.equal({
      model: 'aidan',
      wait: true,
      pitch: 0,
      tempo: 1,
      audio_format: 'wav',
    });
    expect(json.model).to.include({ name: 'aidan', channels: 1 });
    expect(json.result).to.include({ format: 'wav', samplerate: 48000, channels: 1 });
    expect(json.result.texts.map(({ text }: { text: string }) => text)).to.deep.equal([
      'Good morning.',
      'How are you?',
    ]);
    for (const phase of ['text', 'queue', 'infer', 'shape', 'encode']) {
      expect(headers.get('server-timing')).to.match(new RegExp(`\\b${phase};dur=\\d`));
    }
    for (const time of [json.created_at, json.modified_at])
      expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('tells exactly the duration of the bytes delivered', async () => {
    for (const sample_rate of [8000, 16000, 22050, 24000, 44100, 48000]) {
      const { json } = await api.ann.submit({ text: 'One, two.' }, { wait: true, sample_rate });
      const wav = Buffer.from(json.result.data, 'base64');
      expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 12)).to.equal('RIFFWAVE');
      expect([wav.readUInt16LE(22), wav.readUInt32LE(24)]).to.deep.equal([1, sample_rate]);
      const samples = wav.readUInt32LE(40) / 2;
      expect(samples).to.equal((wav.length - 44) / 2);
      expect(json.result.duration).to.equal(samples / sample_rate);
      expect(json.result.samplerate).to.equal(sample_rate);
    }
  });

  it('answers an asynchronous submit at once, and the job later', async () => {
    const { json: submitted } = await api.ann.submit({ text: 'This takes its time.' });
    expect(submitted.status).to.equal('created');
    expect(submitted).to.not.have.property('result');
    expect(submitted).to.have.property('model');
    const { json: done } = await untilSettled(api.ann, submitted.job_id);
    expect(done.status).to.equal('complete');
    expect(Object.keys(done.result)).to.deep.equal(RESULT_FIELDS);
    expect(done.request).to.deep.equal(submitted.request);
    expect(done.created_at).to.equal(submitted.created_at);
    const { json: status } = await api.ann.get(`/v2/speech/tts/${submitted.job_id}/status`);
    expect(status).to.deep.equal({
      job_id: submitted.job_id,
      status: 'complete',
      created_at: done.created_at,
      modified_at: done.modified_at,
    });
  });

  it('gives the same audio in the submit, in the retrieval and as a file', async () => {
    const { json } = await api.ann.submit(
      { text: 'The same each time.' },
      { wait: true, audio_format: 'mp3' },
    );
    const path = `/v2/speech/tts/${json.job_id}`;
    expect((await api.ann.get(path)).json).to.deep.equal(json);
    const { json: signed } = await api.ann.get(`${path}?as_signed_url=true`);
    expect(Object.keys(signed.result)).to.deep.equal(['path', ...RESULT_FIELDS.slice(1)]);
    const file = await api.ann.get(signed.result.path, { key: null });
    expect(file.bytes.toString('base64')).to.equal(json.result.data);
  });

  it('gives a signed URL at submit when asked to', async () => {
    const waited = await api.ann.post('/v2/speech/tts?as_signed_url=1', {
      config: { wait: true },
      request: { text: 'By link.' },
    });
    expect(waited.json.result)
      .to.have.property('path')
      .and.match(/^http:\/\/127\.0\.0\.1:\d+\/v2\/speech\/files\//);
    expect(waited.json.result).to.not.have.property('data');
    const unwaited = await api.ann.post('/v2/speech/tts?as_signed_url=1', { request: { text: 'By link.' } });
    expect(unwaited.json).to.not.have.property('result');
  });

  it('has no audio in answers to HEAD, but the same headers', async () => {
    const { json } = await api.ann.submit({ text: 'Head.' }, { wait: true });
    const path = `/v2/speech/tts/${json.job_id}`;
    const [head, get] = [await api.ann.call('HEAD', path), await api.ann.get(path)];
    expect([head.status, head.bytes.length]).to.deep.equal([200, 0]);
    expect(head.headers.get('content-length')).to.equal(String(get.bytes.length));
  });

  it('counts code points, not bytes or code units', async () => {
    const text = `${'😀'.repeat(278)}a.`;
    expect([[...text].length, text.length]).to.deep.equal([280, 558]);
    const { status } = await api.ann.submit({ text }, { wait: true });
    expect(status).to.equal(200);
  });

  it('makes a faster and a slower tempo shorter and longer', async () => {
    const durations = [];
    for (const tempo of [0.5, 1, 2]) {
      const { json } = await api.ann.submit(
        { text: 'A sentence of some length, to be measured.' },
        { wait: true, tempo },
      );
      durations.push(json.result.duration as number);
    }
    const [slow, normal, fast] = durations as [number, number, number];
    expect(slow / normal).to.be.within(1.6, 2.2);
    expect(normal / fast).to.be.within(1.6, 2.2);
  });

  const signatures: [format: string, contentType: string, extension: string, magic: RegExp][] = [
    ['opus', 'audio/webm', '.webm', /^\x1aE\xdf\xa3/],
    ['mp3', 'audio/mpeg', '.mp3', /^(ID3|\xff[\xe2-\xfb])/],
    ['wav', 'audio/wav', '.wav', /^RIFF....WAVE/s],
    ['ogg', 'audio/ogg', '.ogg', /^OggS/],
    ['flac', 'audio/flac', '.flac', /^fLaC/],
    ['aac', 'audio/mp4', '.m4a', /^....ftyp/s],
    ['pcm', 'audio/pcm', '.pcm', /^/],
  ];
  for (const [format, contentType, extension, magic] of signatures) {
    it(`delivers ${format}`, async () => {
      const { json } = await api.ann.submit(
        { text: 'In every format.' },
        { wait: true, audio_format: format },
      );
      expect(json.result.format).to.equal(format);
      expect(Buffer.from(json.result.data, 'base64').toString('latin1')).to.match(magic);
      const { json: signed } = await api.ann.get(`/v2/speech/tts/${json.job_id}?as_signed_url=true`);
      expect(new URL(signed.result.path as string).pathname).to.match(new RegExp(`\\${extension}$`));
      const file = await api.ann.get(signed.result.path, { key: null });
      expect(file.headers.get('content-type')).to.equal(contentType);
      expect(file.headers.get('content-disposition')).to.match(
        new RegExp(`filename="[\\w.-]+\\${extension}"$`),
      );
    });
  }

  it('echoes what differs from the defaults', async () => {
    const { json } = await api.ann.submit(
      { text: 'Hello.', as_data: true },
      { pitch: -2.5, tempo: 1.25, sample_rate: 16000, seed: 7 },
    );
    expect(json.job_config).to.deep.equal({
      ...{
        model: 'aidan',
        wait: false,
        pitch: -2.5,
        tempo: 1.25,
        audio_format: 'wav',
        sample_rate: 16000,
        seed: 7,
      },
    });
    expect(json.request).to.deep.equal({ text: 'Hello.', as_data: true });
  });

  it('gives the same job for the same idempotency key and body', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const first = await api.ann.submit({ text: 'Only once.' }, {}, { headers });
    const second = await api.ann.submit({ text: 'Only once.' }, {}, { headers });
    expect(second.json.job_id).to.equal(first.json.job_id);
    const other = await api.ann.submit({ text: 'Only twice.' }, {}, { headers });
    expect([other.status, other.json.status]).to.deep.equal([409, 'idempotency_conflict']);
    const bobs = await api.bob.submit({ text: 'Only once.' }, {}, { headers });
    expect(bobs.json.job_id).to.not.equal(first.json.job_id);
  });

  it('makes one job of many submits with one idempotency key at once', async () => {
    const headers = { 'idempotency-key': 'order-2' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.ann.submit({ text: 'Together.' }, {}, { headers })),
    );
    expect(new Set(answers.map(({ json }) => json.job_id as string)).size).to.equal(1);
  });

  it('goes on with the job of a client that left', async () => {
    const before = (await api.bob.get('/v2/speech/tts/count')).json as number;
    const leaving = new AbortController();
    const text = 'Nobody waits for this any more, but it is spoken all the same. '.repeat(4).trim();
    const waiting = api.bob.submit({ text }, { wait: true }, { signal: leaving.signal });
    for (let count = before; count === before;)
      count = (await api.bob.get('/v2/speech/tts/count')).json as number;
    leaving.abort();
    await waiting.then(
      () => undefined,
      () => undefined,
    );
    const { json } = await api.bob.get('/v2/speech/tts?per_page=1');
    const { json: done } = await untilSettled(api.bob, json.data[0].job_id);
    expect([done.status, done.request.text]).to.deep.equal(['complete', text]);
  });
});

describe('api: the allotted time', () => {
  let api: Api;
  before(async () => {
    api = await startApi({ syncWaitSeconds: 0 });
  });
  after(() => api.close());

  it('answers with the job as it stands, which goes on', async () => {
    const { status, json } = await api.ann.submit({ text: 'Not in time.' }, { wait: true });
    expect(status).to.equal(200);
    expect(json.status).to.be.oneOf(['created', 'queued', 'in_progress']);
    expect(json).to.not.have.property('result');
    expect(json.job_config.wait).to.equal(true);
    const { json: done } = await untilSettled(api.ann, json.job_id);
    expect(done.status).to.equal('complete');
  });
});
