import { concat } from './waveform.js';

/** Cuts one stream of samples into overlapping frames, the first of them centred on the stream's first sample. */
export class Framing {
  #held: Float32Array;

  /** In samples; `hop` from the start of one frame to the next. */
  constructor(
    private readonly length: number,
    private readonly hop: number,
  ) {
    this.#held = new Float32Array(Math.floor(length / 2));
  }

  /** The frames that are complete by now; views, to be read at once. */
  *push(samples: Float32Array): Generator<Float32Array> {
    this.#held = concat([this.#held, samples]);
    let at = 0;
    for (; at + this.length <= this.#held.length; at += this.hop)
      yield this.#held.subarray(at, at + this.length);
    this.#held = this.#held.slice(at);
  }
}
