import { Framing } from './framing.js';
import { concat } from './waveform.js';

/** Seconds between two measurements and the length of each. */
const HOP = 0.01;
const WINDOW = 0.02;
/** RMS that is added to both sides of a comparison, so that silence is left as it is. */
const FLOOR = 1e-4;
/** Bounds of the factor by which loudness is corrected. */
const LEAST = 0.1;
const MOST = 3;

/** The loudness of one stream of mono samples over time: its RMS every 10 ms. */
export class LoudnessContour {
  readonly hop: number;
  readonly #framing: Framing;
  readonly #levels: number[] = [];

  constructor(readonly sampleRate: number) {
    this.hop = Math.round(HOP * sampleRate);
    this.#framing = new Framing(Math.round(WINDOW * sampleRate), this.hop);
  }

  push(samples: Float32Array): void {
    for (const frame of this.#framing.push(samples)) this.#levels.push(rms(frame));
  }

  /** Measurements so far. */
  get length(): number {
    return this.#levels.length;
  }

  /** RMS at a place, in samples; after the last measurement, silence. */
  at(place: number): number {
    const row = Math.floor(place / this.hop);
    const [a, b] = [this.#levels[row] ?? 0, this.#levels[row + 1] ?? 0];
    return a + (b - a) * (place / this.hop - row);
  }
}

/** Gives a signal the loudness contour of another one, which runs 1/`tempo` times as fast. */
export class LoudnessMatch {
  readonly #own: LoudnessContour;
  #waiting: Float32Array = new Float32Array(0);
  #position = 0;

  constructor(
    private readonly model: LoudnessContour,
    private readonly tempo: number,
  ) {
    this.#own = new LoudnessContour(model.sampleRate);
  }

  /** Output for the samples so far, but for the last 20 ms, whose loudness is not yet known. */
  process(samples: Float32Array): Float32Array {
    this.#own.push(samples);
    this.#waiting = concat([this.#waiting, samples]);
    return this.#take(Math.max(0, this.#own.length - 1) * this.#own.hop - this.#position);
  }

  /** The rest; in all as many samples come out as went in. */
  finish(): Float32Array {
    this.#own.push(new Float32Array(3 * this.#own.hop));
    return this.#take(this.#waiting.length);
  }

  #take(count: number): Float32Array {
    const ready = this.#waiting.subarray(0, Math.max(0, count));
    this.#waiting = this.#waiting.slice(ready.length);
    const hop = this.#own.hop;
    let [from, to] = [0, 0];
    return ready.map((sample) => {
      const within = this.#position % hop;
      if (within === 0 || to === 0) [from, to] = [this.#factor(0), this.#factor(1)];
      this.#position++;
      return sample * (from + ((to - from) * within) / hop);
    });
  }

  /** What the signal lacks of the model's loudness at the measurement before the present place, or the one after. */
  #factor(next: 0 | 1): number {
    const place = (Math.floor(this.#position / this.#own.hop) + next) * this.#own.hop;
    const factor = (this.model.at(place * this.tempo) + FLOOR) / (this.#own.at(place) + FLOOR);
    return Math.min(MOST, Math.max(LEAST, factor));
  }
}

function rms(frame: Float32Array): number {
  return Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length);
}
