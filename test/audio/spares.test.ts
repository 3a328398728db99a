import { expect } from 'chai';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EncoderProcess } from '../../src/audio/encoder-process.js';
import type { AudioFormatName } from '../../src/audio/format.js';
import { childrenOf, describeWithFfmpeg, eventually, isRunning } from './ffmpeg.js';
import { RATE, record } from './recordings.js';

describeWithFfmpeg('ffmpegs that are started ahead of their use', () => {
  const scratchDirectory = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  let encoders: EncoderProcess;

  beforeEach(async () => {
    encoders = await EncoderProcess.start({ scratchDirectory });
    encoders.keepSpares();
  });
  afterEach(async () => {
    const spares = waiting();
    await encoders.close();
    expect(spares.filter(isRunning), 'outlived the helper').to.deep.equal([]);
    expect(readdirSync(scratchDirectory)).to.deep.equal([]);
  });
  after(() => rmSync(scratchDirectory, { recursive: true }));

  const open = (format: AudioFormatName, streaming: boolean, sampleRate = RATE) =>
    encoders.open({ format, sampleRate, streaming });
  const waiting = () => childrenOf(encoders.pid!);
  /** The bytes of a recording by an ffmpeg of its own, and the ffmpeg that waits for the next of its kind then. */
  const recordFirst = async (format: AudioFormatName, streaming: boolean) => {
    const before = waiting();
    const started = () => waiting().filter((pid) => !before.includes(pid));
    const encoder = open(format, streaming);
    const own = await eventually(() => started()[0]);
    const bytes = await record(encoder);
    return { bytes, spare: await eventually(() => started().find((pid) => pid !== own)) };
  };

  for (const streaming of [false, true]) {
    it(`make the same ${streaming ? 'stream' : 'file'} as new ones, each for the next`, async () => {
      const { bytes, spare } = await recordFirst('mp3', streaming);
      expect(await record(open('mp3', streaming))).to.deep.equal(bytes);
      // Used, hence at its end; and another waits.
      await eventually(() => !isRunning(spare));
      await eventually(() => waiting().length === 1);
    });
  }

  it('are not missed when one is killed while it waits', async () => {
    const { bytes, spare } = await recordFirst('ogg', true);
    process.kill(spare, 'SIGKILL');
    await eventually(() => waiting().length === 0);
    expect(await record(open('ogg', true))).to.deep.equal(bytes);
  });

  it('all go when one of them fails, for what is wrong with it may be wrong with all', async () => {
    const { spare: other } = await recordFirst('flac', true);
    const { spare: failing } = await recordFirst('ogg', true);
    const encoder = open('ogg', true);
    process.kill(failing, 'SIGKILL');
    const failure = await record(encoder).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'encoding_failed', retryable: true });
    await eventually(() => !isRunning(other));
  });

  it('serve only the kind that they were started for', async () => {
    const { spare } = await recordFirst('flac', true);
    await record(open('flac', true, 24000));
    expect(isRunning(spare)).to.be.true;
    await eventually(() => waiting().length === 2);
  });

  it('are few', async () => {
    for (const format of ['opus', 'ogg', 'mp3', 'aac', 'flac'] as const) await record(open(format, true));
    await eventually(() => waiting().length === 4);
    await record(open('aac', false));
    await eventually(() => waiting().length === 4);
  });

  it('are started only by a service', async () => {
    const other = await EncoderProcess.start({ scratchDirectory });
    const encoder = other.open({ format: 'mp3', sampleRate: RATE, streaming: true });
    await record(encoder);
    // The second run begins after the first one's spare would have.
    await record(other.open({ format: 'ogg', sampleRate: RATE, streaming: true }));
    expect(childrenOf(other.pid!)).to.deep.equal([]);
    await other.close();
  });
});
