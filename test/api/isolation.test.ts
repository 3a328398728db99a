import { expect } from 'chai';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: two users', () => {
  let api: Api;
  let id: string;
  before(async () => {
    api = await startApi();
    const { json } = await api.ann.submit({ text: 'The secret of Ann.' }, { wait: true });
    id = json.job_id as string;
  });
  after(() => api.close());

  it('see nothing of each other', async () => {
    const unknown = id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    for (const path of ['', '/status', '/marks', '?as_signed_url=true']) {
      const foreign = await api.bob.get(`/v2/speech/tts/${id}${path}`);
      const absent = await api.bob.get(`/v2/speech/tts/${unknown}${path}`);
      expect(foreign.status).to.equal(404);
      expect(foreign.json.status).to.equal(absent.json.status);
      expect(foreign.json.message.replace(id, '')).to.equal(absent.json.message.replace(unknown, ''));
    }
    expect((await api.bob.delete(`/v2/speech/tts/${id}`)).json.status).to.equal('job_not_found');
    expect((await api.bob.get('/v2/speech/tts')).json.length).to.equal(0);
    expect((await api.bob.get('/v2/speech/tts/count?query_text=secret')).json).to.equal(0);
    expect((await api.ann.get(`/v2/speech/tts/${id}`)).status).to.equal(200);
  });

  it('share jobs between the keys of one user', async () => {
    expect((await api.reader.get(`/v2/speech/tts/${id}`)).status).to.equal(200);
  });
});
