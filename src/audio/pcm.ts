/** Bytes of a sample as it goes to every encoder: signed 16-bit little-endian, mono. */
export const BYTES_PER_SAMPLE = 2;

/** Samples as 32-bit float little-endian PCM; a view, not a copy. */
export function toPcmFloat(samples: Float32Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Puts a byte stream of 32-bit floats together again, wherever it was cut. */
export class FloatReader {
  #rest = Buffer.alloc(0);

  /** The samples that are complete by now. */
  read(bytes: Buffer): Float32Array {
    const all = Buffer.concat([this.#rest, bytes]);
    const whole = all.length - (all.length % 4);
    this.#rest = all.subarray(whole);
    return new Float32Array(new Uint8Array(all.subarray(0, whole)).buffer);
  }
}
