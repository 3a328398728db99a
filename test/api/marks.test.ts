import { expect } from 'chai';
import { LONG_TEXT } from './polling.js';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: marks', () => {
  let api: Api;
  let id: string;
  const text = 'Good morning, everyone. The café opens at 9. 😀 Bye now!';
  before(async () => {
    api = await startApi();
    id = (await api.ann.submit({ text }, { wait: true })).json.job_id as string;
  });
  after(() => api.close());

  it('gives words and sentences in order, with offsets into the text', async () => {
    const { status, json } = await api.ann.get(`/v2/speech/tts/${id}/marks`);
    expect(status).to.equal(200);
    expect(json.job_id).to.equal(id);
    for (const word of json.words) {
      expect(text.slice(word.offset, word.offset + word.length)).to.equal(word.text);
      expect(word.end).to.be.at.least(word.start);
    }
    const said = json.words.map((word: { text: string }) => word.text).join(' ');
    for (const word of ['Good', 'morning', 'everyone', 'café', 'Bye', 'now']) expect(said).to.include(word);
    for (const times of [json.words, json.sentences] as { start: number; end: number }[][]) {
      for (let at = 1; at < times.length; at++) expect(times[at]!.start).to.be.at.least(times[at - 1]!.start);
      expect(times.at(-1)!.end).to.be.at.most(json.duration);
    }
  });

  it('gives subtitles', async () => {
    const srt = await api.ann.get(`/v2/speech/tts/${id}/marks?format=srt`);
    expect(srt.headers.get('content-type')).to.equal('application/x-subrip; charset=utf-8');
    expect(srt.bytes.toString()).to.match(
      /^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\nGood morning, everyone\.\n\n2\n/,
    );
    const vtt = await api.ann.get(`/v2/speech/tts/${id}/marks?format=vtt`);
    expect(vtt.headers.get('content-type')).to.equal('text/vtt; charset=utf-8');
    expect(vtt.bytes.toString()).to.match(
      /^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:0\d\.\d{3}\nGood morning, everyone\.\n/,
    );
    expect((await api.ann.get(`/v2/speech/tts/${id}/marks?format=ass`)).status).to.equal(422);
  });

  it('has none before the job is complete', async () => {
    const { json: job } = await api.ann.submit({ text: LONG_TEXT });
    const { status, json } = await api.ann.get(`/v2/speech/tts/${job.job_id}/marks`);
    expect([status, json.status, json.recovery.retryable]).to.deep.equal([409, 'job_not_complete', true]);
  });
});
