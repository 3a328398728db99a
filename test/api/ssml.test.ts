import { expect } from 'chai';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: SSML', () => {
  let api: Api;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('is spoken and echoed', async () => {
    const ssml = '<speak>Hello <break time="300ms"/><emphasis level="strong">world</emphasis>.</speak>';
    const { status, json } = await api.ann.submit({ ssml }, { wait: true });
    expect([status, json.status]).to.deep.equal([200, 'complete']);
    expect(json.request).to.deep.equal({ ssml });
  });

  it('counts what is spoken, not the tags', async () => {
    const words = 'word '.repeat(55).trim();
    const ssml = `<speak>${words.replaceAll(' ', '<break time="1ms"/> ')}</speak>`;
    expect(ssml.length).to.be.greaterThan(1000);
    expect((await api.ann.submit({ ssml }, { wait: true })).status).to.equal(200);
    const long = await api.ann.submit({ ssml: `<speak>${'word '.repeat(57)}</speak>` }, { wait: true });
    expect([long.status, long.json.status]).to.deep.equal([400, 'tts_request_not_waitable']);
  });

  it('is bounded with its tags', async () => {
    const { status, json } = await api.ann.submit({ ssml: `<speak>a${'<break/>'.repeat(1300)}</speak>` });
    expect([status, json.status, json.context]).to.deep.equal([
      ...[400, 'tts_request_too_large', { length: 10_416, maximum: 10_000 }],
    ]);
  });

  it('must say something', async () => {
    const { status, json } = await api.ann.submit({ ssml: '<speak> <break/> </speak>' });
    expect([status, json.status]).to.deep.equal([400, 'tts_request_no_text_data']);
  });

  const wrong: [what: string, ssml: string][] = [
    ['an unknown element', '<speak>\n<audio src="x"/></speak>'],
    ['a document type', '<!DOCTYPE speak><speak>a</speak>'],
    ['an entity', '<speak>&nbsp;</speak>'],
    ['an unclosed element', '<speak><p>a</speak>'],
    ['no XML', 'Hello.'],
    ['another root', '<p>Hello.</p>'],
    ['a wrong attribute', '<speak><break time="soon"/>a</speak>'],
  ];
  for (const [what, ssml] of wrong) {
    it(`is refused with ${what}, at its line and column`, async () => {
      const { status, json } = await api.ann.submit({ ssml });
      expect([status, json.status]).to.deep.equal([422, 'request_validation_error']);
      expect(json.context).to.have.length(1);
      expect(json.context[0].location).to.deep.equal(['body', 'request', 'ssml']);
      expect(json.context[0].message).to.match(/line \d+, column \d+/i);
    });
  }
});
