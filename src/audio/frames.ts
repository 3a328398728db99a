/*
 * What the main process and the ffmpeg helper say to each other over one socket per recording: frames of one byte of
 * type, four bytes of length (little-endian) and the payload.
 *
 *   main → helper   task (an FfmpegTask as JSON), then data (raw audio) until end
 *   helper → main   data (ffmpeg's output) until end, or failure (a sentence) at any time
 *
 * A socket that closes without `end` is an abort in the one direction and the helper's death in the other.
 */
export const FrameType = { task: 1, data: 2, end: 3, failure: 4 } as const;
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

export interface Frame {
  type: FrameType;
  payload: Buffer;
}

const HEADER_BYTES = 5;
/** Longest payload: bounds what a reader must hold to have a whole frame. */
export const MAX_PAYLOAD = 65_536;

/** What goes before `length` bytes of payload, at most MAX_PAYLOAD. Written apart, the payload need not be copied. */
export function frameHeader(type: FrameType, length: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(type, 0);
  header.writeUInt32LE(length, 1);
  return header;
}

/** One short frame as it goes over the socket. */
export function frame(type: FrameType, payload: Uint8Array | string = ''): Buffer {
  const body = Buffer.from(payload as Uint8Array);
  return Buffer.concat([frameHeader(type, body.length), body]);
}

/** Cuts bytes into payloads of legal length. */
export function* payloads(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_PAYLOAD) yield bytes.subarray(at, at + MAX_PAYLOAD);
}

/** Puts frames together from bytes, wherever the socket cut them. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are complete by now. Throws a RangeError at bytes that are no frames. */
  *read(bytes: Buffer): Generator<Frame> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (let next = this.#take(); next; next = this.#take()) yield next;
  }

  #take(): Frame | undefined {
    if (this.#rest.length < HEADER_BYTES) return undefined;
    const length = this.#rest.readUInt32LE(1);
    if (length > MAX_PAYLOAD)
      throw new RangeError(`Expected a frame of at most ${MAX_PAYLOAD} bytes, got ${length}.`);
    if (this.#rest.length < HEADER_BYTES + length) return undefined;
    const type = this.#rest.readUInt8(0) as FrameType;
    const payload = this.#rest.subarray(HEADER_BYTES, HEADER_BYTES + length);
    this.#rest = this.#rest.subarray(HEADER_BYTES + length);
    return { type, payload };
  }
}
