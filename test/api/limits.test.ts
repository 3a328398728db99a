import { expect } from 'chai';
import { startApi } from './server.js';

describe('api: limits', () => {
  it('bounds the requests of one user in a minute, not of the others', async () => {
    const api = await startApi({ requestsPerMinute: 5 });
    try {
      for (let index = 0; index < 5; index++)
        expect((await api.ann.get('/v2/speech/tts/count')).status).to.equal(200);
      const { status, json, headers } = await api.ann.get('/v2/speech/tts/count');
      expect([status, json.status, json.recovery.retryable]).to.deep.equal([
        429,
        'rate_limit_exceeded',
        true,
      ]);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
      expect(json.recovery.retry_after_seconds).to.equal(Number(headers.get('retry-after')));
      expect((await api.bob.get('/v2/speech/tts/count')).status).to.equal(200);
    } finally {
      await api.close();
    }
  });

  it('bounds submits apart', async () => {
    const api = await startApi({ submitsPerMinute: 2 });
    try {
      const statuses = [];
      for (let index = 0; index < 3; index++)
        statuses.push((await api.ann.submit({ text: 'Counted.' })).status);
      expect(statuses).to.deep.equal([200, 200, 429]);
      expect((await api.ann.get('/v2/speech/tts/count')).json).to.equal(2);
    } finally {
      await api.close();
    }
  });

  it('can be set higher than the interface’s', async () => {
    const api = await startApi({ maxWaitCharacters: 300, maxCharacters: 6000, bodyLimit: 1024 * 1024 });
    try {
      expect((await api.ann.submit({ text: `${'a '.repeat(149)}a.` }, { wait: true })).status).to.equal(200);
      const { json } = await api.ann.submit({ text: 'x'.repeat(6001) });
      expect(json.context).to.deep.equal({ length: 6001, maximum: 6000 });
    } finally {
      await api.close();
    }
  });

  it('refuses for want of quota, and takes nothing for jobs that were cancelled', async () => {
    const api = await startApi({}, { annsQuota: 20 });
    try {
      const insufficient = await api.ann.submit({ text: 'x'.repeat(21) });
      expect([insufficient.status, insufficient.json.status]).to.deep.equal([402, 'quota_insufficient']);
      expect(insufficient.json.context).to.deep.equal({ current: 20, required: 21 });
      expect((await api.ann.submit({ text: 'Twenty characters...' }, { wait: true })).json.status).to.equal(
        'complete',
      );
      const empty = await api.ann.submit({ text: 'More.' });
      expect([empty.status, empty.json.status]).to.deep.equal([402, 'quota_empty']);
      expect((await api.bob.submit({ text: 'Not mine.' })).status).to.equal(200);
    } finally {
      await api.close();
    }
  });

  it('takes streams from the quota, but not those that came to nothing', async () => {
    const api = await startApi({}, { annsQuota: 30 });
    const stream = (input: string) =>
      api.ann.call('POST', '/v1/audio/speech', { body: { input, response_format: 'wav' } });
    try {
      expect((await stream('Twenty characters...')).status).to.equal(200);
      const insufficient = await stream('Twelve chars');
      expect([insufficient.status, insufficient.json.error.code]).to.deep.equal([402, 'quota_insufficient']);
      const nothing = await stream('...');
      expect([nothing.status, nothing.json.error.code]).to.deep.equal([400, 'nothing_to_speak']);
      expect((await stream('Ten chars.')).status).to.equal(200);
      expect((await stream('a')).json.error.code).to.equal('quota_empty');
      expect((await api.ann.submit({ text: 'A job.' })).json.status).to.equal('quota_empty');
    } finally {
      await api.close();
    }
  });
});
