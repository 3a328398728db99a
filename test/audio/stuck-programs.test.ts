import { expect } from 'chai';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EncoderProcess } from '../../src/audio/encoder-process.js';
import type { AudioFormatName } from '../../src/audio/format.js';
import { FORMAT_NAMES } from '../../src/audio/formats.js';
import { failureOf } from '../failure-of.js';
import {
  childrenOf,
  describeWithFfmpeg,
  eventually,
  isRunning,
  pathOfFfmpeg,
  scriptedFfmpeg,
} from './ffmpeg.js';
import { RATE, record } from './recordings.js';
import { pcmOf, speech } from './signals.js';

/** Seconds. */
const PATIENCE = 2;
const SPEECH = pcmOf(speech(RATE));
const LOST = { code: 'encoding_failed', retryable: true };

describeWithFfmpeg('A program that does not do its work', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  const scratchDirectory = join(directory, 'scratch');
  const opened: EncoderProcess[] = [];

  const start = async (ffmpegPath?: string): Promise<EncoderProcess> => {
    const options = {
      scratchDirectory,
      patience: PATIENCE,
      ...(ffmpegPath === undefined ? {} : { ffmpegPath }),
    };
    const encoders = await EncoderProcess.start(options);
    opened.push(encoders);
    return encoders;
  };
  afterEach(async () => {
    for (const encoders of opened.splice(0)) await encoders.close();
    expect(readdirSync(scratchDirectory)).to.deep.equal([]);
  });
  after(() => rmSync(directory, { recursive: true }));

  const open = (encoders: EncoderProcess, format: AudioFormatName, streaming = false) =>
    encoders.open({ format, sampleRate: RATE, streaming });
  const ffmpegOf = (parent: number) =>
    eventually(() => {
      const [child, ...others] = childrenOf(parent);
      return others.length === 0 && child;
    });

  const hanging = () => scriptedFfmpeg(join(directory, 'hanging'), 'sleep 1000; true');

  for (const streaming of [false, true]) {
    it(`fails a ${streaming ? 'stream' : 'file'} whose ffmpeg stands still, and kills that`, async () => {
      const encoders = await start();
      const encoder = open(encoders, 'mp3', streaming);
      const bytes = failureOf(buffer(encoder.bytes));
      await encoder.write(SPEECH.subarray(0, 9600));
      const ffmpeg = await ffmpegOf(encoders.pid!);
      process.kill(ffmpeg, 'SIGSTOP');
      await encoder.write(SPEECH);
      encoder.end();
      expect(await bytes).to.include(LOST);
      await eventually(() => !isRunning(ffmpeg));
      expect(await record(open(encoders, 'mp3', streaming))).to.not.be.empty;
    });
  }

  it('kills a script that hangs with what it has started', async () => {
    const encoders = await start(hanging());
    const recording = failureOf(record(open(encoders, 'mp3')));
    const shell = await ffmpegOf(encoders.pid!);
    const sleep = await ffmpegOf(shell);
    expect(await recording).to.include(LOST);
    await eventually(() => !isRunning(shell) && !isRunning(sleep));
  });

  it('gives up a program that does not say what it can do', async () => {
    const path = join(directory, 'silent');
    writeFileSync(path, '#!/bin/sh\nsleep 1000; true\n');
    chmodSync(path, 0o755);
    const encoders = await start(path);
    expect(encoders.capabilities().trouble).to.equal('it does not answer');
    expect(encoders.formats()).to.deep.equal(['wav', 'pcm']);
    await eventually(() => childrenOf(encoders.pid!).length === 0);
  });

  it('does not call a program one that is no ffmpeg', async () => {
    const encoders = await start('true');
    expect(encoders.capabilities().trouble).to.match(/no ffmpeg$/);
  });

  it('does not mistake a reader who takes his time for an ffmpeg that stands still', async () => {
    const encoders = await start();
    const long = Buffer.concat(Array.from({ length: 60 }, () => SPEECH));
    const slow = open(encoders, 'flac', true);
    const writing = slow.write(long).then(() => slow.end());
    const first = await slow.bytes[Symbol.asyncIterator]().next();
    expect(first.done).to.be.false;
    // Whoever is killed for standing still has been watched for as long as the reader does not read.
    const encoder = open(encoders, 'mp3');
    const stuck = failureOf(buffer(encoder.bytes));
    await encoder.write(SPEECH);
    const ffmpeg = await eventually(() => childrenOf(encoders.pid!)[1]);
    process.kill(ffmpeg, 'SIGSTOP');
    encoder.end();
    expect(await stuck).to.include(LOST);
    let rest = 0;
    for await (const bytes of slow.bytes) rest += bytes.length;
    expect(rest).to.be.above(1_000_000);
    await writing;
  });

  it('has another helper take the place of one that stands still', async () => {
    const encoders = await start();
    const stopped = encoders.pid!;
    const encoder = open(encoders, 'mp3');
    const bytes = failureOf(buffer(encoder.bytes));
    await encoder.write(SPEECH);
    const ffmpeg = await ffmpegOf(stopped);
    process.kill(stopped, 'SIGSTOP');
    expect(await bytes).to.include(LOST);
    await eventually(() => encoders.pid !== stopped && !isRunning(stopped) && !isRunning(ffmpeg));
    expect(await record(open(encoders, 'mp3'))).to.not.be.empty;
  });

  it('closes though its helper stands still', async () => {
    const encoders = await start();
    const { pid } = encoders;
    process.kill(pid!, 'SIGSTOP');
    await encoders.close();
    expect(isRunning(pid!)).to.be.false;
  });

  it('leaves nothing of a killed helper, not even an ffmpeg that stands still', async () => {
    const encoders = await start();
    const recording = failureOf(record(open(encoders, 'mp3')));
    const ffmpeg = await ffmpegOf(encoders.pid!);
    process.kill(ffmpeg, 'SIGSTOP');
    process.kill(encoders.pid!, 'SIGKILL');
    expect(await recording).to.include(LOST);
    await eventually(() => !isRunning(ffmpeg));
  });

  it('leaves nothing of a killed owner, not even what a script has started', async () => {
    const owner = fork(fileURLToPath(new URL('./encoder-owner.js', import.meta.url)), [
      scratchDirectory,
      hanging(),
    ]);
    const [{ helper }] = (await once(owner, 'message')) as [{ helper: number }];
    const shell = await ffmpegOf(helper);
    const sleep = await ffmpegOf(shell);
    owner.kill('SIGKILL');
    await eventually(() => ![helper, shell, sleep].some(isRunning));
  });

  it('leaves it to the next start when the owner and the helper are both killed', async () => {
    const owner = fork(fileURLToPath(new URL('./encoder-owner.js', import.meta.url)), [scratchDirectory]);
    const [{ helper }] = (await once(owner, 'message')) as [{ helper: number }];
    process.kill(helper, 'SIGSTOP');
    owner.kill('SIGKILL');
    process.kill(helper, 'SIGKILL');
    await eventually(() => !isRunning(helper));
    const left = () =>
      [tmpdir(), scratchDirectory].flatMap((parent) =>
        readdirSync(parent).filter((name) => new RegExp(`encoder-${helper}(-|$)`).test(name)),
      );
    expect(left()).to.have.length(2);
    await start();
    await eventually(() => left().length === 0);
  });

  it('is noticed when it goes, and when it comes', async () => {
    const path = join(directory, 'ffmpeg');
    const encoders = await start(path);
    expect(encoders.formats()).to.deep.equal(['wav', 'pcm']);
    symlinkSync(pathOfFfmpeg(), path);
    await eventually(() => encoders.formats().length === FORMAT_NAMES.length);
    expect(await record(open(encoders, 'mp3'))).to.not.be.empty;

    rmSync(path);
    const { pid } = encoders;
    const failure = () => failureOf((async () => record(open(encoders, 'mp3')))());
    expect(await failure()).to.include(LOST);
    // It is looked for every few seconds at most.
    while ((await failure()).code !== 'ffmpeg_missing');
    expect(encoders.pid, 'the same helper').to.equal(pid);
  });
});
