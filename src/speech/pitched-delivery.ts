import type { Shifter } from '../audio/pitch.js';
import type { Delivery } from './delivery.js';

/** A delivery whose samples pass through a pitch filter first; what comes out of it is sent on as it comes. */
export class PitchedDelivery {
  readonly #passing: Promise<void>;

  constructor(
    private readonly shifter: Shifter,
    private readonly delivery: Delivery,
  ) {
    this.#passing = this.#pass();
    // Told by `end`; a failure before that shows in `write`, too.
    this.#passing.catch(() => {});
  }

  get delivered(): number {
    return this.delivery.delivered;
  }

  write(samples: Float32Array): Promise<void> {
    return this.shifter.write(samples);
  }

  async end(): Promise<void> {
    this.shifter.end();
    await this.#passing;
    await this.delivery.end();
  }

  async #pass(): Promise<void> {
    try {
      for await (const samples of this.shifter.samples) await this.delivery.write(samples);
    } finally {
      this.shifter.abort();
    }
  }
}
