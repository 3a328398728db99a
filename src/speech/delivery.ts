import type { Encoder } from '../audio/encoder.js';
import type { Limiter } from '../audio/level.js';
import type { Resampler } from '../audio/resample.js';

/** The last stretch of the road: joined samples at the voice's rate → limited → delivered rate → encoder. */
export class Delivery {
  /** Samples that went to the encoder. */
  delivered = 0;

  constructor(
    private readonly limiter: Limiter,
    private readonly resampler: Resampler,
    private readonly encoder: Encoder,
  ) {}

  async write(samples: Float32Array): Promise<void> {
    await this.#deliver(this.resampler.process(this.limiter.process(samples)));
  }

  async end(): Promise<void> {
    await this.#deliver(this.resampler.process(this.limiter.finish()));
    await this.#deliver(this.resampler.finish());
    this.encoder.end();
  }

  async #deliver(samples: Float32Array): Promise<void> {
    if (samples.length === 0) return;
    this.delivered += samples.length;
    await this.encoder.write(samples);
  }
}
