import type { AudioFormat, AudioFormatName, SampleRate } from './format.js';
import type { FfmpegTask } from './ffmpeg-task.js';

/*
 * Bit rates are for one voice, mono, chosen so that listeners cannot tell the result from the samples: above that
 * more bits only make larger files. Below 32 kHz a codec has less to describe and is given less. MP3 and AAC have a
 * constant rate, as players take a stream's length from it; Opus varies around its rate.
 */
const BIT_RATES: Record<'opus' | 'mp3' | 'aac', Record<SampleRate, number>> = {
  opus: { 8000: 24_000, 16000: 40_000, 22050: 48_000, 24000: 48_000, 44100: 64_000, 48000: 64_000 },
  mp3: { 8000: 48_000, 16000: 64_000, 22050: 96_000, 24000: 96_000, 44100: 128_000, 48000: 128_000 },
  aac: { 8000: 32_000, 16000: 64_000, 22050: 80_000, 24000: 80_000, 44100: 128_000, 48000: 128_000 },
};

/** How ffmpeg makes a format; `streaming` where what is written cannot be changed any more. */
interface Codec {
  /** ffmpeg's name of the encoder. */
  encoder: string;
  /** See Encoder.frameSamples; 1 when absent. */
  frameSamples?: number;
  options(rate: SampleRate, streaming: boolean): string[];
}

interface Format extends AudioFormat {
  /** Absent for what is made in this process. */
  codec?: Codec;
}

/**
 * WebM in clusters of 100 ms, Ogg in pages of 100 ms, MP4 in fragments of 200 ms, so that the first bytes leave early;
 * a finished file has the container's usual larger ones, its duration and its seek table.
 */
const FORMATS: Record<AudioFormatName, Format> = {
  opus: {
    name: 'opus',
    contentType: 'audio/webm',
    extension: '.webm',
    description: 'Opus in WebM',
    codec: {
      encoder: 'libopus',
      options: (rate, streaming) => [
        ...['-b:a', `${BIT_RATES.opus[rate]}`, '-application', 'audio', '-f', 'webm'],
        ...(streaming ? ['-live', '1', '-cluster_time_limit', '100'] : []),
      ],
    },
  },
  ogg: {
    name: 'ogg',
    contentType: 'audio/ogg',
    extension: '.ogg',
    description: 'Opus in Ogg',
    codec: {
      encoder: 'libopus',
      options: (rate, streaming) => [
        ...['-b:a', `${BIT_RATES.opus[rate]}`, '-application', 'audio', '-f', 'ogg'],
        ...(streaming ? ['-page_duration', '100000'] : []),
      ],
    },
  },
  mp3: {
    name: 'mp3',
    contentType: 'audio/mpeg',
    extension: '.mp3',
    description: 'MP3',
    codec: {
      encoder: 'libmp3lame',
      // A Xing header that is not filled in at the end would announce a file without any audio.
      options: (rate, streaming) => [
        ...['-b:a', `${BIT_RATES.mp3[rate]}`, '-f', 'mp3', '-id3v2_version', '0'],
        ...['-write_xing', streaming ? '0' : '1'],
      ],
    },
  },
  aac: {
    name: 'aac',
    contentType: 'audio/mp4',
    extension: '.m4a',
    description: 'AAC in MPEG-4',
    codec: {
      encoder: 'aac',
      // The edit list of a file tells the end to the sample, but many decoders, ffmpeg's too, play the last frame whole.
      frameSamples: 1024,
      // Of a stream, unlike of a file, most decoders also play the first frame, which is the encoder's delay.
      // delay_moov waits for the first fragment, so that the header can tell the encoder's delay.
      options: (rate, streaming) => [
        ...['-b:a', `${BIT_RATES.aac[rate]}`, '-f', 'ipod', '-movflags'],
        ...(streaming ? ['+delay_moov+default_base_moof', '-frag_duration', '200000'] : ['+faststart']),
      ],
    },
  },
  flac: {
    name: 'flac',
    contentType: 'audio/flac',
    extension: '.flac',
    description: 'FLAC',
    codec: { encoder: 'flac', options: () => ['-compression_level', '8', '-f', 'flac'] },
  },
  wav: {
    name: 'wav',
    contentType: 'audio/wav',
    extension: '.wav',
    description: 'WAV, 16-bit PCM',
  },
  pcm: {
    name: 'pcm',
    contentType: 'audio/pcm',
    extension: '.pcm',
    description: 'Raw 16-bit little-endian PCM',
  },
};

export const FORMAT_NAMES = Object.keys(FORMATS) as AudioFormatName[];

export function audioFormat(name: AudioFormatName): AudioFormat {
  const { contentType, extension, description } = FORMATS[name];
  return { name, contentType, extension, description };
}

/**
 * The rate at which a format is delivered when `rate` is asked for. Opus knows neither 22050 nor 44100 Hz: the next
 * higher rate it knows is delivered instead, 24000 or 48000 Hz, and that is what its header and our result say. (An
 * Opus decoder gives 48 kHz whatever the stream's rate; RFC 7845, 5.1.)
 */
export function deliveredRate(name: AudioFormatName, rate: SampleRate): SampleRate {
  if (FORMATS[name].codec?.encoder !== 'libopus') return rate;
  if (rate === 22050) return 24000;
  return rate === 44100 ? 48000 : rate;
}

/** See Encoder.frameSamples. */
export function frameSamples(name: AudioFormatName): number {
  return FORMATS[name].codec?.frameSamples ?? 1;
}

/** ffmpeg's name of the encoder that a format needs; undefined where it needs none. */
export function ffmpegEncoder(name: AudioFormatName): string | undefined {
  return FORMATS[name].codec?.encoder;
}

/**
 * The ffmpeg run that turns 16-bit mono PCM into a format; undefined where it needs none.
 *
 * Without `-probesize` and `-analyzeduration` ffmpeg would first collect seconds of input. `-flush_packets` sends
 * what the container has as soon as it has it. `-bitexact` leaves out random serial numbers and the encoder's version,
 * so that equal samples give equal bytes.
 */
export function encodingTask(
  name: AudioFormatName,
  rate: SampleRate,
  streaming: boolean,
): FfmpegTask | undefined {
  const codec = FORMATS[name].codec;
  if (!codec) return undefined;
  return {
    input: rawInput('s16le', rate),
    output: ['-c:a', codec.encoder, ...codec.options(rate, streaming), '-bitexact', '-flush_packets', '1'],
    seekable: !streaming,
  };
}

/** Input options for raw mono PCM that is read without probing. */
export function rawInput(layout: 's16le' | 'f32le', rate: number): string[] {
  return ['-f', layout, '-ar', `${rate}`, '-ac', '1', '-probesize', '32', '-analyzeduration', '0'];
}
