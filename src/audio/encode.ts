import { LantangError } from '../errors.js';
import type { EncodeRequest, Encoder } from './encoder.js';
import { INSTALL_FFMPEG, whyLacking } from './ffmpeg-task.js';
import type { SampleRate } from './format.js';
import { audioFormat, deliveredRate, encodingTask, ffmpegEncoder, frameSamples } from './formats.js';
import type { FfmpegRunner, Recording } from './recording.js';
import { FinishedPcm, StreamedPcm } from './wav.js';

/**
 * Opens an encoder at a rate that the format delivers (`deliveredRate`). WAV and PCM are made in this process.
 *
 * A streaming encoder takes samples only as fast as its bytes are read, so both must go on at the same time; a
 * finished file's bytes come after `end()`, and its samples wait on disk, never in memory.
 */
export function openEncoder(runner: FfmpegRunner, { format, sampleRate, streaming }: EncodeRequest): Encoder {
  requireRate(format, sampleRate);
  const task = encodingTask(format, sampleRate, streaming);
  if (task) {
    requireEncoder(runner, format);
    return new FfmpegEncoder(runner.record(task), frameSamples(format));
  }
  const layout = { sampleRate, header: format === 'wav' };
  return streaming ? new StreamedPcm(layout) : new FinishedPcm(layout, runner.scratchDirectory);
}

class FfmpegEncoder implements Encoder {
  readonly bytes: AsyncIterable<Buffer>;

  constructor(
    private readonly recording: Recording,
    readonly frameSamples: number,
  ) {
    this.bytes = recording.output();
  }

  write(pcm: Buffer): Promise<void> {
    return this.recording.write(pcm);
  }

  end(): void {
    this.recording.end();
  }

  abort(): void {
    this.recording.abort();
  }
}

function requireRate(format: EncodeRequest['format'], rate: number): asserts rate is SampleRate {
  const delivered = deliveredRate(format, rate as SampleRate);
  if (delivered === rate) return;
  throw new LantangError(
    'invalid_argument',
    `Expected a sample rate that ${audioFormat(format).description} is delivered at, such as ${delivered}, got ${rate}.`,
    { context: { format, sample_rate: rate } },
  );
}

function requireEncoder(runner: FfmpegRunner, format: EncodeRequest['format']): void {
  const encoder = ffmpegEncoder(format)!;
  const capabilities = runner.capabilities();
  if (capabilities.encoders.includes(encoder)) return;
  runner.lookAgain();
  throw new LantangError(
    'ffmpeg_missing',
    `The format ${format} needs ffmpeg with the encoder ${encoder}, but ${whyLacking(capabilities)}. ${INSTALL_FFMPEG} The formats wav and pcm need no ffmpeg.`,
    { context: { format, encoder } },
  );
}
