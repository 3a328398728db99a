import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeWithFfmpeg, pathOfFfmpeg } from '../audio/ffmpeg.js';
import { startApi } from './server.js';
import type { Api } from './users.js';

const TEXT = 'Without that program there is still this.';

describe('api: a server without ffmpeg', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  const ffmpeg = join(directory, 'ffmpeg');
  let api: Api;

  before(async () => (api = await startApi({ ffmpeg })));
  after(async () => {
    await api.close();
    rmSync(directory, { recursive: true });
  });

  const formats = async (): Promise<string[]> =>
    (await api.ann.get('/v2/speech/tts/models')).json[0].formats as string[];

  it('offers the formats that need none', async () => {
    expect(await formats()).to.deep.equal(['wav', 'pcm']);
  });

  it('makes them', async () => {
    for (const audio_format of await formats()) {
      const { json } = await api.ann.submit({ text: TEXT }, { wait: true, audio_format });
      expect(json).to.include({ status: 'complete' });
    }
  });

  it('refuses the others at once, also the default, and another pitch', async () => {
    for (const config of [{}, { audio_format: 'mp3', pitch: 2 }, { audio_format: 'wav', pitch: 2 }]) {
      const body = { config, request: { text: TEXT } };
      const { status, json } = await api.ann.post('/v2/speech/tts', body);
      expect([status, json.status]).to.deep.equal([422, 'request_validation_error']);
      const wrong = (json.context as { location: string[]; status: string }[]).map(({ location, status }) => [
        location.at(-1),
        status,
      ]);
      const expected = [];
      if (config.audio_format !== 'wav') expected.push(['audio_format', 'not_available']);
      if (config.pitch) expected.push(['pitch', 'not_available']);
      expect(wrong).to.deep.equal(expected);
      expect(json.message).to.match(/It can be one of wav, pcm\.|must be 0 now/);
    }
    expect((await api.ann.get('/v2/speech/tts/count')).json).to.equal(2);
  });

  it('refuses to stream them', async () => {
    const { status, json } = await api.ann.post('/v1/audio/speech', { input: TEXT });
    expect([status, json.error.param]).to.deep.equal([422, 'response_format']);
  });

  describeWithFfmpeg('and when ffmpeg comes', () => {
    it('makes every format', async () => {
      symlinkSync(pathOfFfmpeg(), ffmpeg);
      while ((await formats()).length < 7);
      const { json } = await api.ann.submit({ text: TEXT }, { wait: true, audio_format: 'opus' });
      expect(json.status).to.equal('complete');
    });
  });
});
