import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EncoderProcess } from '../../src/audio/encoder-process.js';
import type { ShiftRequest } from '../../src/audio/pitch.js';
import { concat } from '../../src/audio/waveform.js';
import { childrenOf, eventually } from './ffmpeg.js';
import { AH, pieces, speech, vowel } from './signals.js';
import { formantNear, lagOf, pitchOf } from './spectrum.js';

const FILTERS = spawnSync('ffmpeg', ['-hide_banner', '-filters'], { encoding: 'utf8' }).stdout ?? '';
const describeWithRubberband = / rubberband /.test(FILTERS)
  ? describe
  : (title: string, body: () => void) =>
      describe.skip(`${title} (skipped: no ffmpeg with rubberband on this machine)`, body);

describeWithRubberband('Shifter', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  let encoders: EncoderProcess;

  before(async () => (encoders = await EncoderProcess.start({ scratchDirectory: directory })));
  after(async () => {
    await encoders.close();
    rmSync(directory, { recursive: true });
  });

  async function shift(samples: Float32Array, request: ShiftRequest): Promise<Float32Array> {
    const shifter = encoders.openShifter(request);
    const writing = (async () => {
      for (const piece of pieces(samples, 6000, 1)) await shifter.write(piece);
      shifter.end();
    })();
    const shifted: Float32Array[] = [];
    for await (const piece of shifter.samples) shifted.push(piece);
    await writing;
    return concat(shifted);
  }

  for (const semitones of [-10, -5, -1, 1, 5, 10]) {
    it(`moves the pitch by ${semitones} semitones and leaves formants and duration`, async () => {
      const sampleRate = 24000;
      const ratio = 2 ** (semitones / 12);
      const steady = vowel({ rate: sampleRate, seconds: 1, from: 140 });
      const moved = await shift(steady, { sampleRate, semitones });
      expect(moved).to.have.length(steady.length);
      const middle = moved.subarray(sampleRate * 0.3, sampleRate * 0.8);
      expect(pitchOf(middle, sampleRate)).to.be.closeTo(140 * ratio, 1.4 * ratio);

      const glide = vowel({ rate: sampleRate, seconds: 2, from: 100, to: 160 });
      const movedGlide = await shift(glide, { sampleRate, semitones });
      for (const formant of AH) {
        const found = formantNear(movedGlide, sampleRate, formant, 130 * Math.max(1, ratio));
        expect(found).to.be.closeTo(formant, formant * 0.08);
      }
    });
  }

  for (const sampleRate of [16000, 22050, 48000]) {
    it(`keeps the time of what is said within 4 ms at ${sampleRate} Hz`, async () => {
      const original = speech(sampleRate);
      for (const semitones of [-10, -3, 0, 3, 10]) {
        const moved = await shift(original, { sampleRate, semitones });
        expect(moved).to.have.length(original.length);
        expect(lagOf(original, moved, sampleRate), `${semitones} semitones`).to.be.closeTo(0, 4);
      }
    });
  }

  it('changes the tempo and leaves the pitch', async () => {
    const sampleRate = 22050;
    const steady = vowel({ rate: sampleRate, seconds: 1, from: 140 });
    for (const tempo of [0.5, 0.8, 1.3, 2]) {
      const changed = await shift(steady, { sampleRate, semitones: 0, tempo });
      expect(changed).to.have.length(Math.round(steady.length / tempo));
      const middle = changed.subarray(changed.length * 0.3, changed.length * 0.8);
      expect(pitchOf(middle, sampleRate)).to.be.closeTo(140, 1.4);
    }
  });

  it('gives as many samples as it took, however few', async () => {
    for (const length of [0, 1, 100, 3000]) {
      const few = vowel({ rate: 24000, seconds: 1, from: 140 }).subarray(0, length);
      expect(await shift(few, { sampleRate: 24000, semitones: 4 })).to.have.length(length);
    }
  });

  it('leaves no process when it is aborted', async () => {
    const shifter = encoders.openShifter({ sampleRate: 24000, semitones: 3 });
    await shifter.write(speech(24000));
    await eventually(() => childrenOf(encoders.pid!).length === 1);
    shifter.abort();
    const failure = await shifter.samples[Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'aborted');
    await eventually(() => childrenOf(encoders.pid!).length === 0);
  });
});
