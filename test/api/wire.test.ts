import { expect } from 'chai';
import { connect } from 'node:net';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: on the wire', () => {
  let api: Api;
  before(async () => {
    api = await startApi({ bodySeconds: 1 });
  });
  after(() => api.close());

  const requests: [what: string, bytes: string, answer: RegExp][] = [
    ['no HTTP at all', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['an unknown method', 'BREW / HTTP/1.1\r\nhost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00', /^HTTP\/1\.1 400 /],
    [
      'two lengths',
      'POST /v2/speech/tts HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    ['a header without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}`, /^HTTP\/1\.1 431 /],
    ['a path without end', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, /^HTTP\/1\.1 431 /],
    [
      'a line feed in a header',
      'GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: a\nset-cookie: b\x00\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
  ];
  requests.push(
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', /^HTTP\/1\.1 400 .*"host_missing"/s],
    [
      'CONNECT',
      'CONNECT example.org:443 HTTP/1.1\r\nhost: x\r\n\r\n',
      /^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD/s,
    ],
    [
      'an expectation it does not know',
      'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: coffee\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 417 .*"expectation_failed"/s,
    ],
    ['a request line without a path', 'GET HTTP/1.1\r\nhost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'a path without a slash',
      'GET x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 40[04] /,
    ],
    [
      'a URL that is none',
      'GET http://[ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 40[04] /,
    ],
    ['another protocol', 'GET / HTTP/3.7\r\nhost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
  );
  for (const [what, bytes, pattern] of requests) {
    it(`answers ${what} in JSON and hangs up`, async () => {
      const answer = await api.ann.exchange(bytes);
      expect(answer).to.match(pattern);
      const body = JSON.parse(answer.split('\r\n\r\n')[1]!) as {
        status: string;
        message: string;
        request_id: string;
      };
      expect(body).to.include.all.keys('status', 'message', 'request_id', 'recovery');
      expect(answer).to.match(new RegExp(`x-request-id: ${body.request_id}\r\n`));
    });
  }

  const announced = (length: number, more = ''): string =>
    `POST /v2/speech/tts HTTP/1.1\r\nhost: x\r\nx-api-key: ${api.ann.key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`;

  it('refuses a body that is announced to be too large before it comes', async () => {
    for (const expect100 of ['', 'expect: 100-continue\r\n']) {
      const answer = await api.ann.firstAnswer(announced(100_000_000, expect100));
      expect(answer)
        .to.match(/^HTTP\/1\.1 413 /)
        .and.match(/connection: close/i);
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).to.include({ status: 'request_entity_too_large' });
    }
  });

  it('lets the sender of a body that is too large read why, though it reads only at the end', async () => {
    const body = 'x'.repeat(8_000_000);
    const answer = await api.ann.exchange(announced(body.length) + body);
    expect(answer).to.match(/^HTTP\/1\.1 413 /);
  });

  it('asks for a body that waits to be asked for, once it is known to be wanted', async () => {
    const body = '{"request":{"text":"Asked for."}}';
    const asking = announced(body.length, 'expect: 100-continue\r\nconnection: close\r\n');
    expect(await api.ann.exchange(asking + body)).to.match(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    const keyless = asking.replace(api.ann.key, 'nobody');
    expect(await api.ann.firstAnswer(keyless)).to.match(/^HTTP\/1\.1 401 /);
  });

  it('cuts off a client that sends its body too slowly', async () => {
    const answer = await api.ann.exchange(
      `POST /v2/speech/tts HTTP/1.1\r\nhost: x\r\nx-api-key: ${api.ann.key}\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"request"',
    );
    expect(answer)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.include('"request_timeout"');
  }).timeout(30_000);

  it('does nothing for a client that hung up in the middle of its body', async () => {
    const { hostname, port } = new URL(api.ann.url);
    const before = (await api.ann.get('/v2/speech/tts/count')).json as number;
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /v2/speech/tts HTTP/1.1\r\nhost: x\r\nx-api-key: ${api.ann.key}\r\n` +
            'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"request"',
          () => socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    expect((await api.ann.get('/v2/speech/tts/count')).json).to.equal(before);
  });

  it('answers requests sent ahead of answers in order', async () => {
    const one = (path: string, close = false) =>
      `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${api.ann.key}\r\n${close ? 'connection: close\r\n' : ''}\r\n`;
    const answer = await api.ann.exchange(
      one('/v2/speech/tts/count') + one('/nothing') + one('/healthz', true),
    );
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
    expect(statuses).to.deep.equal(['200', '404', '200']);
  });

  it('keeps a harmless request id and replaces any other', async () => {
    const asked = async (id: string) =>
      (await api.ann.get('/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await asked('order-12.a_B')).to.equal('order-12.a_B');
    for (const id of ['a b', 'a;b', '<script>', 'é', '${jndi:x}', 'a'.repeat(65), '\u001b[31m'.slice(1)]) {
      expect(await asked(id), id).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  it('gives every answer an id of its own', async () => {
    const answers = await Promise.all(
      ['/healthz', '/nothing', '/v2/speech/tts'].map((path) => api.ann.get(path, { key: null })),
    );
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).to.equal(3);
  });

  it('sends what a HEAD and an OPTIONS ask for', async () => {
    const head = await api.ann.call('HEAD', '/v2/speech/tts/models');
    expect([head.status, head.bytes.length]).to.deep.equal([200, 0]);
    const options = await api.ann.call('OPTIONS', '/v2/speech/tts');
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'POST, GET, HEAD']);
  });
});
