import { LantangError } from '../errors.js';
import { INSTALL_FFMPEG } from './ffmpeg-task.js';
import { rawInput } from './formats.js';
import { FloatReader, toPcmFloat } from './pcm.js';
import type { FfmpegRunner, Recording } from './recording.js';

export interface ShiftRequest {
  sampleRate: number;
  /** −10 … 10; formants stay. */
  semitones: number;
  /** Speed multiplier for voices that have no length scale; 1 when absent. */
  tempo?: number;
}

/** One stream of mono samples through the filter. Samples must be read while others are written. */
export interface Shifter {
  /** Resolves when more may be written. */
  write(samples: Float32Array): Promise<void>;
  /** No more samples follow. */
  end(): void;
  /** In all exactly round(input samples ÷ tempo). Throws `encoding_failed` when the filter dies. */
  readonly samples: AsyncIterable<Float32Array>;
  abort(): void;
}

/** Seconds of silence after the end that push the last samples out of the filter. */
const FLUSH = 0.5;

/**
 * Shifts pitch by ffmpeg's rubberband filter (GPL, hence only ever as a program of its own), which keeps formants and
 * the duration. The filter's lag is taken out: early output is held up by silence before it, late output moved up.
 * Throws `pitch_unavailable` where this machine's ffmpeg lacks the filter.
 */
export function openShifter(runner: FfmpegRunner, request: ShiftRequest): Shifter {
  requireRubberband(runner);
  const { sampleRate, semitones, tempo = 1 } = request;
  const filter = `rubberband=pitch=${2 ** (semitones / 12)}:tempo=${tempo}:formant=preserved:pitchq=quality`;
  const recording = runner.record({
    input: rawInput('f32le', sampleRate),
    output: ['-af', filter, '-f', 'f32le', '-flush_packets', '1'],
    seekable: false,
  });
  return new RubberbandShifter(recording, { sampleRate, tempo, lag: lag(semitones, sampleRate) });
}

class RubberbandShifter implements Shifter {
  readonly samples: AsyncIterable<Float32Array>;
  #written = 0;
  /** Samples to deliver in all; known at the end. */
  #total = Infinity;

  constructor(
    private readonly recording: Recording,
    private readonly timing: { sampleRate: number; tempo: number; lag: number },
  ) {
    this.samples = this.#read();
    if (timing.lag < 0) this.#silence(-timing.lag * timing.tempo);
  }

  async write(samples: Float32Array): Promise<void> {
    this.#written += samples.length;
    await this.recording.write(toPcmFloat(samples));
  }

  end(): void {
    this.#total = Math.round(this.#written / this.timing.tempo);
    this.#silence(FLUSH * this.timing.sampleRate);
    this.recording.end();
  }

  abort(): void {
    this.recording.abort();
  }

  async *#read(): AsyncGenerator<Float32Array> {
    const reader = new FloatReader();
    let late = Math.max(0, this.timing.lag);
    let delivered = 0;
    for await (const bytes of this.recording.output()) {
      const samples = reader.read(bytes);
      const early = Math.min(late, samples.length);
      late -= early;
      const wanted = samples.subarray(early, early + this.#total - delivered);
      delivered += wanted.length;
      if (wanted.length > 0) yield wanted;
    }
    if (delivered < this.#total) yield new Float32Array(this.#total - delivered);
  }

  /** Its failure is the recording's, which whoever reads is told. */
  #silence(samples: number): void {
    this.recording.write(toPcmFloat(new Float32Array(Math.round(samples)))).catch(() => {});
  }
}

/**
 * By how much the filter delays speech, in samples; negative where its output comes early. It centres its analysis
 * windows differently before and after changing the pitch, which ffmpeg does not make good. Measured with librubberband
 * 3.1 on speech, in windows of the analysis; the same at every rate.
 */
const LAG_IN_WINDOWS: readonly (readonly [semitones: number, windows: number])[] = [
  [0, 0],
  [1, 0.055],
  [2, 0.077],
  [5, 0.107],
  [7, 0.125],
  [10, 0.155],
];
const LAST = LAG_IN_WINDOWS.length - 1;

function lag(semitones: number, sampleRate: number): number {
  const size = Math.abs(semitones);
  const next = LAG_IN_WINDOWS.findIndex(([at], index) => index > 0 && (at >= size || index === LAST));
  const [a, low] = LAG_IN_WINDOWS[next - 1]!;
  const [b, high] = LAG_IN_WINDOWS[next]!;
  const windows = low + ((high - low) * (size - a)) / (b - a);
  return -Math.sign(semitones) * Math.round(windows * analysisWindow(sampleRate));
}

/** Samples in rubberband's standard window: 2048 at 48 kHz, in proportion at other rates, rounded up to a power of 2. */
function analysisWindow(sampleRate: number): number {
  return 2 ** Math.ceil(Math.log2((2048 * sampleRate) / 48000));
}

function requireRubberband(runner: FfmpegRunner): void {
  const { version, rubberband } = runner.capabilities();
  if (rubberband) return;
  const found = version === undefined ? 'no ffmpeg was found' : `ffmpeg ${version} was built without it`;
  throw new LantangError(
    'pitch_unavailable',
    `Changing the pitch needs ffmpeg with the filter rubberband, but ${found}. ${INSTALL_FFMPEG}`,
  );
}
