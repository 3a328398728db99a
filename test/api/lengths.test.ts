import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { audioFormat, FORMAT_NAMES } from '../../src/audio/formats.js';
import { decode, describeWithFfmpeg } from '../audio/ffmpeg.js';
import { startApi } from './server.js';
import type { Api } from './users.js';

const TEXT = 'As long as it says.';

describeWithFfmpeg('api: the duration of a job', () => {
  let api: Api;
  let directory: string;
  before(async () => {
    api = await startApi();
    directory = await mkdtemp(join(tmpdir(), 'lantang-test-'));
  });
  after(async () => {
    await rm(directory, { recursive: true });
    await api.close();
  });

  for (const format of FORMAT_NAMES) {
    for (const rate of [8000, 22050, 48000]) {
      it(`is what a decoder gives, for ${format} at ${rate} Hz`, async () => {
        const config = { wait: true, audio_format: format, sample_rate: rate };
        const { json } = await api.ann.submit({ text: TEXT }, config);
        const { data, duration, samplerate } = json.result as {
          data: string;
          duration: number;
          samplerate: number;
        };
        const path = join(directory, `${format}-${rate}${audioFormat(format).extension}`);
        await writeFile(path, Buffer.from(data, 'base64'));
        const raw = format === 'pcm' ? ['-f', 's16le', '-ar', `${samplerate}`, '-ac', '1'] : [];
        const samples = await decode(path, samplerate, raw);
        // To the millisecond: ffmpeg's MP3 decoder is at times some samples off at rates that do not divide 48 kHz.
        expect(samples.length).to.be.closeTo(duration * samplerate, samplerate / 1000);
      });
    }
  }
});
