import type { AudioFormatName } from './format.js';

/** One recording being encoded. PCM goes in as it is made; bytes come out as soon as the codec gives them. */
export interface Encoder {
  /**
   * Samples that the format holds in whole frames only, without a mark where in the last one the sound ends; 1 where it
   * tells its length to the sample.
   */
  readonly frameSamples: number;
  /** Mono 16-bit little-endian PCM at the encoder's rate. Resolves when more may be written (back-pressure). */
  write(pcm: Buffer): Promise<void>;
  /** No more samples follow. */
  end(): void;
  /** Encoded bytes; ends after `end()`, throws `encoding_failed` when the encoder dies. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Stops at once and frees everything; harmless after the end. */
  abort(): void;
}

export interface EncodeRequest {
  format: AudioFormatName;
  sampleRate: number;
  /** See SpeakOptions.streaming. */
  streaming: boolean;
}
