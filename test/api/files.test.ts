import { expect } from 'chai';
import { startApi } from './server.js';
import type { Api } from './users.js';
import type { ApiAnswer } from './client.js';

describe('api: signed URLs and files', () => {
  let api: Api;
  let url: string;
  let whole: Buffer;

  before(async () => {
    api = await startApi();
    const { json } = await api.ann.submit({ text: 'A file of its own.' }, { wait: true });
    whole = Buffer.from(json.result.data as string, 'base64');
    url = (await api.ann.get(`/v2/speech/tts/${json.job_id}?as_signed_url=true`)).json.result.path as string;
  });
  after(() => api.close());

  const fetchFile = (headers: Record<string, string> = {}, of = url, method = 'GET'): Promise<ApiAnswer> =>
    api.ann.call(method, of, { key: null, headers });

  it('needs no key', async () => {
    const answer = await fetchFile();
    expect(answer.status).to.equal(200);
    expect(answer.bytes.equals(whole)).to.equal(true);
    expect(answer.headers.get('content-type')).to.equal('audio/wav');
    expect(answer.headers.get('content-length')).to.equal(String(whole.length));
    expect(answer.headers.get('accept-ranges')).to.equal('bytes');
    expect(answer.headers.get('etag')).to.match(/^"[^"]+"$/);
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('answers HEAD with the same headers and no body', async () => {
    const [head, get] = [await fetchFile({}, url, 'HEAD'), await fetchFile()];
    expect([head.status, head.bytes.length]).to.deep.equal([200, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'content-disposition']) {
      expect(head.headers.get(name), name).to.equal(get.headers.get(name));
    }
  });

  it('answers ranges', async () => {
    const end = whole.length - 1;
    const cases: [range: string, from: number, to: number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=0-43', 0, 43],
      ['bytes=44-', 44, end],
      ['bytes=-10', end - 9, end],
      [`bytes=10-${end + 5000}`, 10, end],
      [`bytes=-${whole.length * 2}`, 0, end],
    ];
    for (const [range, from, to] of cases) {
      const answer = await fetchFile({ range });
      expect(answer.status, range).to.equal(206);
      expect(answer.headers.get('content-range'), range).to.equal(`bytes ${from}-${to}/${whole.length}`);
      expect(answer.bytes.equals(whole.subarray(from, to + 1)), range).to.equal(true);
    }
  });

  it('refuses a range outside of the file and ignores one it cannot read', async () => {
    const outside = await fetchFile({ range: `bytes=${whole.length}-` });
    expect([outside.status, outside.json.status]).to.deep.equal([416, 'range_not_satisfiable']);
    expect(outside.headers.get('content-range')).to.equal(`bytes */${whole.length}`);
    for (const range of ['bytes=5-1', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=x']) {
      expect((await fetchFile({ range })).status, range).to.equal(200);
    }
  });

  it('joins a file from ranges', async () => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < whole.length; at += 10_007) {
      pieces.push((await fetchFile({ range: `bytes=${at}-${at + 10_006}` })).bytes);
    }
    expect(Buffer.concat(pieces).equals(whole)).to.equal(true);
  });

  it('sends nothing when the caller has it already', async () => {
    const etag = (await fetchFile()).headers.get('etag')!;
    for (const known of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const answer = await fetchFile({ 'if-none-match': known });
      expect([answer.status, answer.bytes.length], known).to.deep.equal([304, 0]);
    }
    expect((await fetchFile({ 'if-none-match': '"other"' })).status).to.equal(200);
    expect((await fetchFile({ range: 'bytes=0-1', 'if-range': etag })).status).to.equal(206);
    expect((await fetchFile({ range: 'bytes=0-1', 'if-range': '"other"' })).status).to.equal(200);
  });

  it('refuses every change to the URL', async () => {
    const changes: ((changed: URL) => void)[] = [
      (changed) =>
        changed.searchParams.set('expires', String(Number(changed.searchParams.get('expires')) + 1)),
      (changed) => changed.searchParams.delete('signature'),
      (changed) => changed.searchParams.set('signature', 'AAAA'),
      (changed) => changed.searchParams.set('key', 'other'),
      (changed) => (changed.pathname = changed.pathname.replace(/.$/, 'x')),
      (changed) => (changed.pathname = '/v2/speech/files/..%2f..%2fkeys.json'),
      (changed) => (changed.search = ''),
    ];
    for (const change of changes) {
      const changed = new URL(url);
      change(changed);
      const answer = await fetchFile({}, changed.href);
      expect([answer.status, answer.json.status], changed.href).to.deep.equal([403, 'signed_url_invalid']);
    }
  });

  it('does not lead to the same file under another user’s authority', async () => {
    const path = new URL(url).pathname;
    const answer = await api.bob.get(path);
    expect([answer.status, answer.json.status]).to.deep.equal([403, 'signed_url_invalid']);
  });
});

describe('api: the base and the end of signed URLs', () => {
  it('uses the public base URL of the configuration', async () => {
    const api = await startApi({ publicUrl: 'https://speech.example.org/voice' });
    try {
      const { json } = await api.ann.post('/v2/speech/tts?as_signed_url=true', {
        config: { wait: true },
        request: { text: 'Elsewhere.' },
      });
      expect(json.result.path).to.match(
        /^https:\/\/speech\.example\.org\/voice\/v2\/speech\/files\/[\w.-]+\?/,
      );
    } finally {
      await api.close();
    }
  });

  it('uses the host of the request otherwise, if it is one', async () => {
    const api = await startApi();
    try {
      const { json } = await api.ann.submit({ text: 'By host.' }, { wait: true });
      const ask = (host: string) =>
        api.ann.exchange(
          `GET /v2/speech/tts/${json.job_id}?as_signed_url=1 HTTP/1.1\r\nhost: ${host}\r\n` +
            `x-api-key: ${api.ann.key}\r\nconnection: close\r\n\r\n`,
        );
      expect(await ask('tts.example.org:81')).to.include(
        '"path":"http://tts.example.org:81/v2/speech/files/',
      );
      expect(await ask('evil"><script>')).to.not.include('script');
    } finally {
      await api.close();
    }
  });

  it('ends', async () => {
    const api = await startApi({ signedUrlSeconds: 1 });
    try {
      const { json } = await api.ann.post('/v2/speech/tts?as_signed_url=true', {
        config: { wait: true },
        request: { text: 'Short-lived.' },
      });
      const url = new URL(json.result.path as string);
      const expires = Number(url.searchParams.get('expires'));
      let answer = await api.ann.get(url.href, { key: null });
      while (answer.status === 200) answer = await api.ann.get(url.href, { key: null });
      expect([answer.status, answer.json.status]).to.deep.equal([410, 'signed_url_expired']);
      expect(Date.now()).to.be.at.least(expires * 1000);
    } finally {
      await api.close();
    }
  });
});
