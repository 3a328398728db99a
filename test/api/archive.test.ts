import { expect } from 'chai';
import { untilSettled, untilStatus, LONG_TEXT } from './polling.js';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: archive', () => {
  let api: Api;
  before(async () => {
    api = await startApi({ jobsInFlight: 1 });
  });
  after(() => api.close());

  async function expectGone(id: string): Promise<void> {
    for (const [method, path] of [
      ['GET', `/v2/speech/tts/${id}`],
      ['GET', `/v2/speech/tts/${id}/status`],
      ['GET', `/v2/speech/tts/${id}/marks`],
      ['DELETE', `/v2/speech/tts/${id}`],
    ] as const) {
      const { status, json } = await api.ann.call(method, path);
      expect([status, json.status, json.context], path).to.deep.equal([404, 'job_not_found', { job_id: id }]);
    }
  }

  it('keeps the status of a complete job and tells its facts', async () => {
    const { json: job } = await api.ann.submit({ text: 'Soon archived.' }, { wait: true });
    const { status, json } = await api.ann.delete(`/v2/speech/tts/${job.job_id}`);
    expect([status, json.status]).to.deep.equal([200, 'complete']);
    expect(json.result).to.include({ format: 'wav', channels: 1 }).and.not.have.any.keys('data', 'path');
    expect(json).to.have.property('model');
    await expectGone(job.job_id);
  });

  it('leaves archived jobs out of lists and counts', async () => {
    const { json: job } = await api.ann.submit({ text: 'Unlisted platypus.' }, { wait: true });
    const count = async () => (await api.ann.get('/v2/speech/tts/count?query_text=platypus')).json as number;
    expect(await count()).to.equal(1);
    await api.ann.delete(`/v2/speech/tts/${job.job_id}`);
    expect(await count()).to.equal(0);
    expect((await api.ann.get('/v2/speech/tts?query_text=platypus')).json).to.deep.include({
      length: 0,
      data: [],
    });
  });

  it('refuses while the job is in progress, and cancels those that wait behind it', async () => {
    const { json: busy } = await api.ann.submit({ text: LONG_TEXT });
    await untilStatus(api.ann, busy.job_id, 'in_progress');
    const { json: waiting } = await api.ann.submit({ text: LONG_TEXT });

    const refused = await api.ann.delete(`/v2/speech/tts/${busy.job_id}`);
    expect([refused.status, refused.json.status]).to.deep.equal([403, 'job_cancellation_failure']);
    expect(refused.json.context).to.deep.equal({ job_id: busy.job_id });

    const cancelled = await api.ann.delete(`/v2/speech/tts/${waiting.job_id}`);
    expect([cancelled.status, cancelled.json.status]).to.deep.equal([200, 'cancelled']);
    expect(cancelled.json.result.error).to.match(/cancel/i);
    await expectGone(waiting.job_id);

    const { json: done } = await untilSettled(api.ann, busy.job_id);
    expect(done.status).to.equal('complete');
  });

  it('either cancels a job or lets it begin, never both', async () => {
    const submitted = await Promise.all(
      Array.from(
        { length: 12 },
        async () => (await api.ann.submit({ text: 'Contended.' })).json.job_id as string,
      ),
    );
    const answers = await Promise.all(submitted.map((id) => api.ann.delete(`/v2/speech/tts/${id}`)));
    for (const [index, { status, json }] of answers.entries()) {
      if (status === 200) {
        expect(json.status).to.be.oneOf(['cancelled', 'complete']);
        await expectGone(submitted[index]!);
      } else {
        expect([status, json.status]).to.deep.equal([403, 'job_cancellation_failure']);
        expect((await untilSettled(api.ann, submitted[index]!)).json.status).to.equal('complete');
      }
    }
  });

  it('answers one of two archives at once', async () => {
    const { json: job } = await api.ann.submit({ text: 'Twice.' }, { wait: true });
    const answers = await Promise.all([1, 2, 3].map(() => api.ann.delete(`/v2/speech/tts/${job.job_id}`)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404]);
  });
});
