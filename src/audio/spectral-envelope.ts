import { Framing } from './framing.js';
import { concat } from './waveform.js';

/*
 * The spectral envelope of speech, and taking it out of a signal and putting it back: linear prediction (Markel and
 * Gray, Linear Prediction of Speech, 1976), with reflection coefficients, whose lattice filters stay stable when the
 * coefficients are interpolated.
 */

/** Seconds between two frames of analysis, the length of their window, and the step of interpolation. */
const HOP = 0.01;
const WINDOW = 0.025;
const STEP = 0.001;
/** Factor on the sample before: evens out the voice's fall of 6 dB an octave before analysis. */
const PRE_EMPHASIS = 0.9;
/** Standard deviation, in hertz, by which peaks are widened, so that they follow formants and not single harmonics. */
const WIDENING = 60;
/** White noise that is assumed under the signal, as a part of its power: −50 dB. */
const NOISE_FLOOR = 1e-5;

/** The envelope of one stream of mono samples: a row of reflection coefficients every 10 ms. */
export class SpectralEnvelope {
  readonly sampleRate: number;
  /** Coefficients in a row: two for each formant that a voice may have below half the rate, and two for its tilt. */
  readonly order: number;
  readonly hop: number;
  readonly #rows: Float32Array[] = [];
  readonly #window: Float64Array;
  readonly #lagWindow: Float64Array;
  readonly #framing: Framing;

  constructor(sampleRate: number) {
    const length = Math.round(WINDOW * sampleRate);
    this.sampleRate = sampleRate;
    this.order = Math.round(sampleRate / 1000) + 2;
    this.hop = Math.round(HOP * sampleRate);
    this.#window = hann(length);
    this.#lagWindow = gaussian(this.order + 1, WIDENING / sampleRate);
    // One sample more than the window has, for the pre-emphasis.
    this.#framing = new Framing(length + 1, this.hop);
  }

  /** Analyses what can be analysed by now. */
  push(samples: Float32Array): void {
    for (const frame of this.#framing.push(samples)) this.#rows.push(this.#analyse(frame));
  }

  /** Samples from the start on for which the envelope is known: up to the last frame. */
  get known(): number {
    return Math.max(0, (this.#rows.length - 1) * this.hop);
  }

  /** Sets the coefficients at a place, in samples; after the last frame, its own. */
  readAt(place: number, coefficients: Float64Array): void {
    const last = this.#rows.length - 1;
    if (last < 0) return void coefficients.fill(0);
    const row = Math.min(last, Math.floor(place / this.hop));
    const [a, b] = [this.#rows[row]!, this.#rows[Math.min(last, row + 1)]!];
    const part = Math.min(1, place / this.hop - row);
    for (let i = 0; i < coefficients.length; i++) coefficients[i] = a[i]! + part * (b[i]! - a[i]!);
  }

  #analyse(samples: Float32Array): Float32Array {
    const frame = this.#window.map((weight, i) => weight * (samples[i + 1]! - PRE_EMPHASIS * samples[i]!));
    const correlation = this.#lagWindow.map((weight, lag) => weight * autocorrelation(frame, lag));
    correlation[0] = correlation[0]! * (1 + NOISE_FLOOR) + Number.EPSILON;
    return reflections(correlation);
  }
}

/** Takes the envelope out: what is left has the pitch and a flat spectrum. Learns the envelope as samples come. */
export class Whitening {
  readonly #lattice: Lattice;
  #waiting: Float32Array = new Float32Array(0);

  constructor(private readonly envelope: SpectralEnvelope) {
    this.#lattice = new Lattice(envelope, 1);
  }

  process(samples: Float32Array): Float32Array {
    this.envelope.push(samples);
    this.#waiting = concat([this.#waiting, samples]);
    return this.#take(this.envelope.known - this.#lattice.position);
  }

  /** The rest; in all as many samples come out as went in. */
  finish(): Float32Array {
    this.envelope.push(new Float32Array(this.envelope.hop * 4));
    return this.#take(this.#waiting.length);
  }

  #take(count: number): Float32Array {
    const ready = this.#waiting.subarray(0, Math.max(0, count));
    this.#waiting = this.#waiting.slice(ready.length);
    return this.#lattice.whiten(ready);
  }
}

/** Puts the envelope back on a signal that runs `tempo` times as fast as the one it was taken from. */
export class Colouring {
  readonly #lattice: Lattice;

  constructor(envelope: SpectralEnvelope, tempo: number) {
    this.#lattice = new Lattice(envelope, tempo);
  }

  process(samples: Float32Array): Float32Array {
    return this.#lattice.colour(samples);
  }
}

/** One lattice filter, used in one direction, whose coefficients follow the envelope. */
class Lattice {
  /** Samples processed. */
  position = 0;
  readonly #step: number;
  readonly #coefficients: Float64Array;
  /** Backward prediction errors of the sample before. */
  readonly #state: Float64Array;

  constructor(
    private readonly envelope: SpectralEnvelope,
    private readonly tempo: number,
  ) {
    this.#step = Math.max(1, Math.round(STEP * envelope.sampleRate));
    this.#coefficients = new Float64Array(envelope.order);
    this.#state = new Float64Array(envelope.order + 1);
  }

  /** All-zero: the prediction error. */
  whiten(samples: Float32Array): Float32Array {
    return samples.map((sample) => {
      const [k, state] = [this.#advance(), this.#state];
      let forward = sample;
      let backward = sample;
      for (let i = 0; i < k.length; i++) {
        const before = state[i]!;
        state[i] = backward;
        backward = before + k[i]! * forward;
        forward += k[i]! * before;
      }
      return forward;
    });
  }

  /** All-pole: the inverse. */
  colour(samples: Float32Array): Float32Array {
    return samples.map((sample) => {
      const [k, state] = [this.#advance(), this.#state];
      let forward = sample;
      for (let i = k.length - 1; i >= 0; i--) {
        forward -= k[i]! * state[i]!;
        state[i + 1] = state[i]! + k[i]! * forward;
      }
      state[0] = forward;
      return forward;
    });
  }

  #advance(): Float64Array {
    if (this.position % this.#step === 0) {
      this.envelope.readAt(this.position * this.tempo, this.#coefficients);
    }
    this.position++;
    return this.#coefficients;
  }
}

/** Levinson's and Durbin's recursion: the reflection coefficients of an autocorrelation, each within (−1, 1). */
function reflections(correlation: Float64Array): Float32Array {
  const order = correlation.length - 1;
  const rows = new Float32Array(order);
  let predictor = new Float64Array(order + 1);
  predictor[0] = 1;
  let error = correlation[0]!;
  for (let i = 1; i <= order; i++) {
    let sum = 0;
    for (let j = 0; j < i; j++) sum += predictor[j]! * correlation[i - j]!;
    const k = -sum / error;
    const next = predictor.slice();
    for (let j = 1; j <= i; j++) next[j] = predictor[j]! + k * predictor[i - j]!;
    predictor = next;
    error *= 1 - k * k;
    rows[i - 1] = k;
  }
  return rows;
}

function autocorrelation(samples: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < samples.length; i++) sum += samples[i]! * samples[i - lag]!;
  return sum;
}

function hann(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length));
}

/** Lag window that smooths a spectrum by a Gaussian of `deviation` cycles a sample. */
function gaussian(length: number, deviation: number): Float64Array {
  return Float64Array.from({ length }, (_, lag) => Math.exp(-0.5 * (2 * Math.PI * deviation * lag) ** 2));
}
