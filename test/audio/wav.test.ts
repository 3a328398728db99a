import { expect } from 'chai';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type * as wavefile from 'wavefile';
import { FinishedPcm, MOST_IN_MEMORY, StreamedPcm, wavHeader } from '../../src/audio/wav.js';
import { pcmOf, speech } from './signals.js';

const { WaveFile } = createRequire(import.meta.url)('wavefile') as typeof wavefile;
const RATE = 22050;
const SPEECH = speech(RATE);
const PCM = pcmOf(SPEECH);

/** More than is kept in memory. */
const LONG = Buffer.alloc(MOST_IN_MEMORY + 2);

describe('WAV', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  after(() => rmSync(directory, { recursive: true }));

  it('is the file that wavefile makes of the same samples', async () => {
    const encoder = new FinishedPcm({ sampleRate: RATE, header: true }, directory);
    for (let at = 0; at < PCM.length; at += 2000) await encoder.write(PCM.subarray(at, at + 2000));
    encoder.end();
    const bytes = await buffer(encoder.bytes);

    const file = new WaveFile();
    const integers = Array.from(SPEECH, (sample) => Math.round(sample * 32767));
    file.fromScratch(1, RATE, '16', integers);
    expect(bytes.equals(Buffer.from(file.toBuffer()))).to.be.true;
  });

  it('says in both size fields of a stream that the length is not known', async () => {
    const encoder = new StreamedPcm({ sampleRate: RATE, header: true });
    const bytes = buffer(encoder.bytes);
    await encoder.write(PCM);
    encoder.end();
    const header = (await bytes).subarray(0, 44);
    expect([header.readUInt32LE(4), header.readUInt32LE(40)]).to.deep.equal([0xffffffff, 0xffffffff]);
    expect((await bytes).length).to.equal(44 + 2 * SPEECH.length);
  });

  it('keeps its samples on disk without a name, so that nothing is ever left', async () => {
    const encoder = new FinishedPcm({ sampleRate: RATE, header: true }, directory);
    await encoder.write(LONG);
    expect(readdirSync(directory)).to.deep.equal([]);
    encoder.abort();
    await encoder.write(LONG).then(
      () => expect.fail('written after the abort'),
      (error: unknown) => expect(error).to.have.property('code', 'aborted'),
    );
  });

  it('tells of a scratch directory that cannot be written', async () => {
    const encoder = new FinishedPcm({ sampleRate: RATE, header: true }, join(directory, 'missing'));
    const failure = await encoder.write(LONG).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'encoding_failed', retryable: true });
  });

  it('is the same file whether its samples waited in memory, on disk, or in both', async () => {
    for (const size of [PCM.length, MOST_IN_MEMORY, MOST_IN_MEMORY + 2, 2 * MOST_IN_MEMORY + 5000]) {
      const pcm = Buffer.alloc(size).map((_, index) => (index * 7919) % 251);
      const encoder = new FinishedPcm({ sampleRate: RATE, header: false }, directory);
      for (let at = 0; at < size; at += 200_000)
        await encoder.write(Buffer.from(pcm.subarray(at, at + 200_000)));
      encoder.end();
      expect((await buffer(encoder.bytes)).equals(pcm), `${size} bytes`).to.equal(true);
    }
  });

  it('has a header of 44 bytes at any rate', () => {
    for (const rate of [8000, 48000]) {
      const header = wavHeader(rate, 1000);
      expect([header.length, header.readUInt32LE(24), header.readUInt32LE(28)]).to.deep.equal([
        44,
        rate,
        2 * rate,
      ]);
    }
  });
});
