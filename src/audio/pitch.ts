import { LantangError } from '../errors.js';
import { INSTALL_FFMPEG, whyLacking } from './ffmpeg-task.js';
import { rawInput } from './formats.js';
import { FloatReader, toPcmFloat } from './pcm.js';
import type { FfmpegRunner, Recording } from './recording.js';
import { LoudnessContour, LoudnessMatch } from './loudness.js';
import { Colouring, SpectralEnvelope, Whitening } from './spectral-envelope.js';
import { concat } from './waveform.js';

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
 * Shifts pitch by ffmpeg's rubberband filter (GPL, hence only ever as a program of its own). The filter's own way of
 * keeping formants evens out no more than the tilt of the spectrum, and moves F1 as far as the pitch; so the spectral
 * envelope is taken out before it and put back after it, and the filter only sees the flat rest. As it also smears that
 * over its windows of 40 ms, the loudness over time is put back as well. Its lag is taken out: early output is held up by silence before it, late output moved up.
 *
 * Throws `pitch_unavailable` where this machine's ffmpeg lacks the filter.
 */
export function openShifter(runner: FfmpegRunner, request: ShiftRequest): Shifter {
  requireRubberband(runner);
  const { sampleRate, semitones, tempo = 1 } = request;
  const recording = runner.record({
    input: rawInput('f32le', sampleRate),
    output: [
      ...['-af', `rubberband=pitch=${2 ** (semitones / 12)}:tempo=${tempo}:pitchq=quality`],
      ...['-f', 'f32le', '-flush_packets', '1'],
    ],
    seekable: false,
  });
  return new RubberbandShifter(recording, { sampleRate, semitones, tempo });
}

class RubberbandShifter implements Shifter {
  readonly samples: AsyncIterable<Float32Array>;
  readonly #lag: number;
  readonly #voice: Voice | undefined;
  #written = 0;
  /** Samples to deliver in all; known at the end. */
  #total = Infinity;

  constructor(
    private readonly recording: Recording,
    private readonly request: Required<ShiftRequest>,
  ) {
    const { sampleRate, semitones, tempo } = request;
    this.#lag = lag(semitones, sampleRate);
    if (semitones !== 0) this.#voice = new Voice(sampleRate, tempo);
    this.samples = this.#read();
    this.#send(new Float32Array(Math.round(Math.max(0, -this.#lag) * tempo)));
  }

  async write(samples: Float32Array): Promise<void> {
    this.#written += samples.length;
    await this.recording.write(toPcmFloat(this.#voice?.remove(samples) ?? samples));
  }

  end(): void {
    this.#total = Math.round(this.#written / this.request.tempo);
    if (this.#voice) this.#send(this.#voice.removeRest());
    this.#send(new Float32Array(Math.round(FLUSH * this.request.sampleRate)));
    this.recording.end();
  }

  abort(): void {
    this.recording.abort();
  }

  async *#read(): AsyncGenerator<Float32Array> {
    let delivered = 0;
    for await (const samples of this.#filtered()) {
      const wanted = samples.subarray(0, this.#total - delivered);
      delivered += wanted.length;
      yield this.#voice?.restore(wanted) ?? wanted;
    }
    const missing = new Float32Array(this.#total - delivered);
    yield this.#voice?.restoreRest(missing) ?? missing;
  }

  /** What the filter gives, without what it gives too late. */
  async *#filtered(): AsyncGenerator<Float32Array> {
    const reader = new FloatReader();
    let late = Math.max(0, this.#lag);
    for await (const bytes of this.recording.output()) {
      const samples = reader.read(bytes);
      yield samples.subarray(Math.min(late, samples.length));
      late -= Math.min(late, samples.length);
    }
  }

  /** Its failure is the recording's, which whoever reads is told. */
  #send(samples: Float32Array): void {
    this.recording.write(toPcmFloat(samples)).catch(() => {});
  }
}

/** What makes a voice of a pitch: its formants and its loudness over time, taken out before the filter, put back after. */
class Voice {
  readonly #whitening: Whitening;
  readonly #colouring: Colouring;
  readonly #contour: LoudnessContour;
  readonly #match: LoudnessMatch;

  constructor(sampleRate: number, tempo: number) {
    const envelope = new SpectralEnvelope(sampleRate);
    this.#whitening = new Whitening(envelope);
    this.#colouring = new Colouring(envelope, tempo);
    this.#contour = new LoudnessContour(sampleRate);
    this.#match = new LoudnessMatch(this.#contour, tempo);
  }

  remove(samples: Float32Array): Float32Array {
    this.#contour.push(samples);
    return this.#whitening.process(samples);
  }

  removeRest(): Float32Array {
    return this.#whitening.finish();
  }

  restore(samples: Float32Array): Float32Array {
    return this.#match.process(this.#colouring.process(samples));
  }

  restoreRest(samples: Float32Array): Float32Array {
    return concat([this.restore(samples), this.#match.finish()]);
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

/** In samples. */
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
  const capabilities = runner.capabilities();
  if (capabilities.rubberband) return;
  runner.lookAgain();
  throw new LantangError(
    'pitch_unavailable',
    `Changing the pitch needs ffmpeg with the filter rubberband, but ${whyLacking(capabilities)}. ${INSTALL_FFMPEG}`,
  );
}
