import type { AudioFormatName } from './format.js';

/** One recording being encoded. PCM goes in as it is made; bytes come out as soon as the codec gives them. */
export interface Encoder {
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
