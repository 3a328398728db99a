import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SAMPLE_RATES, type AudioFormatName, type SampleRate } from '../../src/audio/format.js';
import { audioFormat, deliveredRate, FORMAT_NAMES } from '../../src/audio/formats.js';
import { EncoderProcess } from '../../src/audio/encoder-process.js';
import { decode, describeWithFfmpeg, probe } from './ffmpeg.js';
import { pcmOf, pieces, speech } from './signals.js';
import { compare } from './spectrum.js';

/** What a decoder must find, and by how many samples each way of delivering may miss. */
interface Expected {
  container: string;
  codec: string;
  /** Samples that a decoder may give too many. */
  surplus: { finished: number; streamed: number };
  /** Samples of delay that a stream's decoder cannot know of. */
  delay: number;
  /** Samples by which a finished file's stated duration may exceed the truth. */
  overstated: number;
  /** Mean difference from the input in decibels, over bands and frames. */
  difference: number;
}

const EXACT = { surplus: { finished: 0, streamed: 0 }, delay: 0, overstated: 0, difference: 0.1 };
/** Tells its delay (312 samples at 48 kHz) and its end; the stated duration of a file includes the delay. */
const OPUS = {
  codec: 'opus',
  surplus: { finished: 1, streamed: 1 },
  delay: 0,
  overstated: 400,
  difference: 1.6,
};
const EXPECTED: Record<AudioFormatName, Expected> = {
  opus: { container: 'matroska,webm', ...OPUS },
  ogg: { container: 'ogg', ...OPUS },
  // LAME delays by 1105 samples and fills up its last frame of 1152, which only the header of a finished file tells.
  mp3: {
    container: 'mp3',
    codec: 'mp3',
    surplus: { finished: 0, streamed: 1105 + 2 * 1152 },
    delay: 1105,
    overstated: 1105 + 2 * 1152,
    difference: 1.6,
  },
  // Fills up its last frame of 1024, which a delivery does before it; in a stream the first frame is delay, which the
  // header marks and ffmpeg plays.
  aac: {
    container: 'mov,mp4,m4a,3gp,3g2,mj2',
    codec: 'aac',
    surplus: { finished: 1024, streamed: 2048 },
    delay: 1024,
    overstated: 1,
    difference: 1.6,
  },
  flac: { container: 'flac', codec: 'flac', ...EXACT },
  wav: { container: 'wav', codec: 'pcm_s16le', ...EXACT },
  pcm: { container: 's16le', codec: 'pcm_s16le', ...EXACT },
};

describeWithFfmpeg('Every format at every rate', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  let encoders: EncoderProcess;

  before(
    async () => (encoders = await EncoderProcess.start({ scratchDirectory: join(directory, 'scratch') })),
  );
  after(async () => {
    await encoders.close();
    rmSync(directory, { recursive: true });
  });

  for (const name of FORMAT_NAMES) {
    for (const rate of SAMPLE_RATES) {
      it(`${name} at ${rate} Hz as a finished file`, () => check(name, deliveredRate(name, rate), false));
    }
    // One rate for each generation of MPEG audio, which is what streaming could depend on.
    for (const rate of [8000, 22050, 48000] as const) {
      it(`${name} at ${rate} Hz streamed`, () => check(name, deliveredRate(name, rate), true));
    }
  }

  async function check(name: AudioFormatName, rate: SampleRate, streaming: boolean): Promise<void> {
    const expected = EXPECTED[name];
    const input = speech(rate);
    const path = await encode(name, rate, input, streaming);
    const raw = name === 'pcm' ? ['-f', 's16le', '-ar', `${rate}`, '-ac', '1'] : [];
    const [found, output] = await Promise.all([probe(path, raw), decode(path, rate, raw)]);

    const [stream] = found.streams;
    expect(found.format.format_name).to.equal(expected.container);
    expect(stream).to.include({ codec_name: expected.codec, channels: 1 });
    // ffprobe calls every Opus 48 kHz, as decoders do; what was encoded stands in the header.
    if (expected.codec === 'opus') expect(await opusHeaderRate(path)).to.equal(rate);
    else expect(stream!.sample_rate).to.equal(`${rate}`);

    const surplus = streaming ? expected.surplus.streamed : expected.surplus.finished;
    expect(output.length - input.length).to.be.within(-1, surplus);
    if (!streaming) {
      const stated = Number(found.format.duration) * (expected.codec === 'opus' ? 48000 : rate);
      const truth = input.length * (expected.codec === 'opus' ? 48000 / rate : 1);
      expect(stated - truth).to.be.within(-0.001 * rate, expected.overstated + 0.001 * rate);
    }

    const { lag, difference } = compare(input, output, rate);
    expect(lag).to.be.closeTo(streaming ? (expected.delay / rate) * 1000 : 0, 1);
    expect(difference).to.be.below(expected.difference);
  }

  async function encode(
    format: AudioFormatName,
    sampleRate: SampleRate,
    samples: Float32Array,
    streaming: boolean,
  ): Promise<string> {
    const encoder = encoders.open({ format, sampleRate, streaming });
    const bytes = buffer(encoder.bytes);
    for (const piece of pieces(samples, 4801, 1)) await encoder.write(pcmOf(piece));
    encoder.end();
    const path = join(directory, `${format}-${sampleRate}-${streaming}${audioFormat(format).extension}`);
    await writeFile(path, await bytes);
    return path;
  }
});

/** RFC 7845, 5.1: the input's rate is at byte 12 of the header, which WebM keeps as the codec's private data. */
async function opusHeaderRate(path: string): Promise<number> {
  const bytes = await readFile(path);
  return bytes.readUInt32LE(bytes.indexOf('OpusHead') + 12);
}

describe('The table of formats', () => {
  it('is the contract’s', () => {
    const rows = FORMAT_NAMES.map((name) => [
      name,
      audioFormat(name).contentType,
      audioFormat(name).extension,
    ]);
    expect(rows).to.have.deep.members([
      ['opus', 'audio/webm', '.webm'],
      ['ogg', 'audio/ogg', '.ogg'],
      ['mp3', 'audio/mpeg', '.mp3'],
      ['aac', 'audio/mp4', '.m4a'],
      ['flac', 'audio/flac', '.flac'],
      ['wav', 'audio/wav', '.wav'],
      ['pcm', 'audio/pcm', '.pcm'],
    ]);
  });

  it('delivers every rate as asked, but for the two that Opus does not know', () => {
    const changed = FORMAT_NAMES.flatMap((name) =>
      SAMPLE_RATES.filter((rate) => deliveredRate(name, rate) !== rate).map((rate) => [
        name,
        rate,
        deliveredRate(name, rate),
      ]),
    );
    expect(changed).to.have.deep.members([
      ['opus', 22050, 24000],
      ['opus', 44100, 48000],
      ['ogg', 22050, 24000],
      ['ogg', 44100, 48000],
    ]);
  });
});
