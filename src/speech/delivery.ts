import type { Encoder } from '../audio/encoder.js';
import type { Mastering } from '../audio/mastering.js';
import { BYTES_PER_SAMPLE } from '../audio/pcm.js';

/** The last stretch of the road: joined samples at the voice's rate → mastered → encoder. */
export class Delivery {
  #bytes = 0;

  constructor(
    private readonly mastering: Mastering,
    private readonly encoder: Encoder,
  ) {}

  /** Samples that went to the encoder. */
  get delivered(): number {
    return this.#bytes / BYTES_PER_SAMPLE;
  }

  async write(samples: Float32Array): Promise<void> {
    if (samples.length > 0) await this.#deliver(this.mastering.process(samples));
  }

  async end(): Promise<void> {
    await this.#deliver(this.mastering.finish());
    await this.#deliver(this.#lastFrame());
    this.encoder.end();
  }

  /** Silence up to the end of the encoder's frame: it would be heard in any case, so it is counted as delivered. */
  #lastFrame(): Buffer {
    const frame = this.encoder.frameSamples * BYTES_PER_SAMPLE;
    return Buffer.alloc((frame - (this.#bytes % frame)) % frame);
  }

  async #deliver(pcm: Buffer): Promise<void> {
    if (pcm.length === 0) return;
    this.#bytes += pcm.length;
    await this.encoder.write(pcm);
  }
}
