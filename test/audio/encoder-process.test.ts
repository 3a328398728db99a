import { expect } from 'chai';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EncoderProcess } from '../../src/audio/encoder-process.js';
import type { AudioFormatName } from '../../src/audio/format.js';
import { FORMAT_NAMES } from '../../src/audio/formats.js';
import { LantangError } from '../../src/errors.js';
import { failureOf } from '../failure-of.js';
import { childrenOf, describeWithFfmpeg, eventually, isRunning } from './ffmpeg.js';
import { RATE, record } from './recordings.js';
import { pcmOf, speech } from './signals.js';

const SPEECH = pcmOf(speech(RATE));

describeWithFfmpeg('EncoderProcess', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  const scratchDirectory = join(directory, 'scratch');
  let encoders: EncoderProcess;

  before(async () => (encoders = await EncoderProcess.start({ scratchDirectory })));
  after(async () => {
    await encoders.close();
    expect(readdirSync(scratchDirectory), 'left in the scratch directory').to.deep.equal([]);
    rmSync(directory, { recursive: true });
  });

  const open = (format: AudioFormatName, streaming = false) =>
    encoders.open({ format, sampleRate: RATE, streaming });
  const ffmpegs = () => childrenOf(encoders.pid!);
  const scratchFiles = () =>
    readdirSync(scratchDirectory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

  it('tells what ffmpeg can do here', () => {
    const { version, encoders: names } = encoders.capabilities();
    expect(version).to.match(/^\S+$/);
    expect(names).to.include.members(['libopus', 'libmp3lame', 'aac', 'flac']);
    expect(names).to.not.include('libx264');
  });

  describe('streams', () => {
    /** Less than what the first half of the speech makes, and more than any header. */
    const ENOUGH: Record<AudioFormatName, number> = {
      ...{ opus: 3000, ogg: 3000, mp3: 6000, aac: 3000, flac: 8000, wav: 40_000, pcm: 40_000 },
    };
    for (const format of FORMAT_NAMES) {
      it(`${format} before the end of its input`, async () => {
        const encoder = open(format, true);
        const bytes = encoder.bytes[Symbol.asyncIterator]();
        const half = SPEECH.length / 2;
        const writing = encoder.write(SPEECH.subarray(0, half));
        let received = 0;
        while (received < ENOUGH[format]) received += ((await bytes.next()).value as Buffer).length;
        await writing;
        const rest = encoder.write(SPEECH.subarray(half)).then(() => encoder.end());
        let after = 0;
        for (let next = await bytes.next(); !next.done; next = await bytes.next()) after += next.value.length;
        await rest;
        expect(after).to.be.above(ENOUGH[format] / 2);
      });
    }
  });

  it('gives equal bytes for equal samples, alone and among fifty at once', async () => {
    const alone = new Map<AudioFormatName, Buffer>();
    for (const format of FORMAT_NAMES) alone.set(format, await record(open(format)));
    const formats = Array.from({ length: 50 }, (_, i) => FORMAT_NAMES[i % FORMAT_NAMES.length]!);
    const together = await Promise.all(formats.map((format) => record(open(format))));
    together.forEach((bytes, i) => expect(bytes.equals(alone.get(formats[i]!)!), formats[i]).to.be.true);
  }).timeout(120_000);

  it('passes a recording that is longer than any buffer on its way, streamed and finished', async () => {
    const long = Buffer.concat(Array.from({ length: 60 }, () => SPEECH));
    const [streamed, finished] = await Promise.all([
      record(open('flac', true), long),
      record(open('flac'), long),
    ]);
    // FLAC keeps the number of samples in the last 36 bits of the 13 bytes from byte 13 of its header on.
    expect(finished.readUIntBE(21, 5) % 2 ** 36).to.equal(long.length / 2);
    expect(streamed.length).to.be.closeTo(finished.length, finished.length / 1000);
  }).timeout(120_000);

  it('takes samples only as fast as a stream is read', async () => {
    const encoder = open('pcm', true);
    let taken = false;
    const writing = encoder.write(SPEECH).then(() => (taken = true));
    await new Promise(setImmediate);
    expect(taken).to.be.false;
    encoder.end();
    expect((await buffer(encoder.bytes)).length).to.equal(SPEECH.length);
    await writing;
    expect(taken).to.be.true;
  });

  for (const streaming of [false, true]) {
    it(`leaves no process and no file when a ${streaming ? 'stream' : 'file'} is aborted`, async () => {
      const encoder = open('mp3', streaming);
      const bytes = failureOf(buffer(encoder.bytes));
      await encoder.write(SPEECH);
      await Promise.race([
        eventually(() => ffmpegs().length === 1),
        bytes.then((error) => Promise.reject(error)),
      ]);
      encoder.abort();
      expect((await bytes).code).to.equal('aborted');
      expect((await failureOf(encoder.write(SPEECH))).code).to.equal('aborted');
      await eventually(() => ffmpegs().length === 0 && scratchFiles().length === 0);
      encoder.abort();
    });
  }

  it('leaves no process when a recording is aborted before ffmpeg runs', async () => {
    const aborted = Array.from({ length: 5 }, () => open('opus'));
    for (const encoder of aborted) encoder.abort();
    for (const encoder of aborted) expect((await failureOf(buffer(encoder.bytes))).code).to.equal('aborted');
    await record(open('opus'));
    await eventually(() => ffmpegs().length === 0 && scratchFiles().length === 0);
  });

  it('frees ffmpeg when whoever reads stops reading', async () => {
    const encoder = open('ogg', true);
    await encoder.write(SPEECH);
    for await (const bytes of encoder.bytes) {
      expect(bytes).to.not.be.empty;
      break;
    }
    await eventually(() => ffmpegs().length === 0);
  });

  it('lets an abort after the end do no harm', async () => {
    for (const format of FORMAT_NAMES) {
      const encoder = open(format);
      const bytes = await record(encoder);
      encoder.abort();
      expect(bytes).to.not.be.empty;
    }
  });

  for (const streaming of [false, true]) {
    it(`says that encoding failed when ffmpeg is killed under a ${streaming ? 'stream' : 'file'}`, async () => {
      const encoder = open('aac', streaming);
      const bytes = failureOf(buffer(encoder.bytes));
      await encoder.write(SPEECH);
      const [ffmpeg] = await eventually(() => ffmpegs().length === 1 && ffmpegs());
      process.kill(ffmpeg!, 'SIGKILL');
      expect(await bytes).to.include({ code: 'encoding_failed', retryable: true });
      expect(await record(open('aac', streaming))).to.not.be.empty;
      expect(scratchFiles()).to.be.empty;
    });
  }

  it('starts a new helper when the first is killed, and fails only what was in flight', async () => {
    const killed = encoders.pid!;
    const encoder = open('mp3');
    const bytes = failureOf(buffer(encoder.bytes));
    await encoder.write(SPEECH);
    const [ffmpeg] = await eventually(() => ffmpegs().length === 1 && ffmpegs());
    process.kill(killed, 'SIGKILL');
    expect(await bytes).to.include({ code: 'encoding_failed', retryable: true });
    await eventually(() => encoders.pid !== killed);
    expect(await record(open('mp3'))).to.not.be.empty;
    await eventually(() => !isRunning(ffmpeg!));
    expect(scratchFiles()).to.be.empty;
  });

  it('makes an empty recording of no samples, without failing', async () => {
    for (const format of FORMAT_NAMES) {
      const encoder = open(format);
      encoder.end();
      await buffer(encoder.bytes);
    }
  });

  it('refuses a rate that the format is not delivered at', () => {
    const wrong = () => encoders.open({ format: 'opus', sampleRate: 44100, streaming: true });
    expect(wrong)
      .to.throw(LantangError, 'such as 48000, got 44100')
      .with.property('code', 'invalid_argument');
  });

  it('ends with its owner, also when that is killed', async () => {
    const scratch = join(directory, 'owned');
    const owner = fork(fileURLToPath(new URL('./encoder-owner.js', import.meta.url)), [scratch]);
    const [{ helper }] = (await once(owner, 'message')) as [{ helper: number }];
    const [ffmpeg] = await eventually(() => childrenOf(helper).length === 1 && childrenOf(helper));
    owner.kill('SIGKILL');
    await eventually(() => !isRunning(helper) && !isRunning(ffmpeg!));
    expect(readdirSync(scratch)).to.deep.equal([]);
  });

  it('removes what killed helpers left in the scratch directory, and nothing else', async () => {
    const scratch = join(directory, 'swept');
    const [left, others] = [join(scratch, 'encoder-99999999'), join(scratch, 'keep')];
    for (const path of [left, others]) mkdirSync(path, { recursive: true });
    const second = await EncoderProcess.start({ scratchDirectory: scratch });
    await second.close();
    expect([existsSync(left), existsSync(others)]).to.deep.equal([false, true]);
  });
});

describe('EncoderProcess without ffmpeg', () => {
  const scratchDirectory = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  let encoders: EncoderProcess;

  before(async () => {
    encoders = await EncoderProcess.start({
      scratchDirectory,
      ffmpegPath: join(scratchDirectory, 'no-such-ffmpeg'),
    });
  });
  after(async () => {
    await encoders.close();
    rmSync(scratchDirectory, { recursive: true });
  });

  it('says what to install', () => {
    const { trouble, encoders: found, rubberband } = encoders.capabilities();
    expect({ trouble, found, rubberband }).to.deep.equal({
      trouble: 'no ffmpeg was found',
      found: [],
      rubberband: false,
    });
    const wish = () => encoders.open({ format: 'mp3', sampleRate: RATE, streaming: false });
    expect(wish)
      .to.throw(LantangError, /encoder libmp3lame.*apt-get install ffmpeg/)
      .with.property('code', 'ffmpeg_missing');
    const shift = () => encoders.openShifter({ sampleRate: RATE, semitones: 2 });
    expect(shift)
      .to.throw(LantangError, /rubberband.*apt-get install ffmpeg/)
      .with.property('code', 'pitch_unavailable');
  });

  it('offers what needs none', () => {
    expect(encoders.formats()).to.deep.equal(['wav', 'pcm']);
  });

  it('still makes WAV and PCM', async () => {
    for (const format of ['wav', 'pcm'] as const) {
      const bytes = await record(encoders.open({ format, sampleRate: RATE, streaming: false }));
      expect(bytes.length).to.equal(SPEECH.length + (format === 'wav' ? 44 : 0));
    }
  });
});
