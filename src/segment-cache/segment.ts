import { crc32 } from 'node:zlib';
import type { RowAudio } from '../inference/binding.js';
import type { SegmentKey } from './segment-key.js';

/** What a lane gave for a row, bit for bit. */
export type Segment = RowAudio;

/*
 * A segment as a file, in the machine's byte order (the key is of a machine):
 *
 *   0   'LTSG', version             2 × uint32
 *   8   samples, durations          2 × uint32; durations: 2^32 − 1 where the graph tells none
 *   16  key                         32 bytes
 *   48  CRC-32 of all but this      uint32
 *   52  zeros
 *   64  durations, then samples     int32, float32
 */
const HEADER_BYTES = 64;
const MAGIC = 0x4753_544c;
const VERSION = 1;
const NO_DURATIONS = 0xffff_ffff;
const KEY_AT = 16;
const CHECKSUM_AT = 48;
const BYTES = 4;

export function bytesOf({ samples, durations }: Segment): number {
  return samples.byteLength + (durations?.byteLength ?? 0);
}

/** The same segment, holding on to no more memory than its own: a row may come as a view of its whole batch. */
export function compact({ samples, durations }: Segment): Segment {
  return { samples: owned(samples), ...(durations && { durations: owned(durations) }) };
}

export function encodedBytes(segment: Segment): number {
  return HEADER_BYTES + bytesOf(segment);
}

export function encodeSegment(key: SegmentKey, segment: Segment): Buffer {
  const { samples, durations } = segment;
  const file = Buffer.alloc(encodedBytes(segment));
  const header = new Uint32Array(file.buffer, file.byteOffset, HEADER_BYTES / BYTES);
  header.set([MAGIC, VERSION, samples.length, durations?.length ?? NO_DURATIONS]);
  file.write(key, KEY_AT, 'hex');
  if (durations) file.set(bytes(durations), HEADER_BYTES);
  file.set(bytes(samples), HEADER_BYTES + (durations?.byteLength ?? 0));
  header[CHECKSUM_AT / BYTES] = checksum(file);
  return file;
}

/** Nothing where the file is not this segment, whole and unharmed. */
export function decodeSegment(key: SegmentKey, file: Buffer): Segment | undefined {
  if (file.length < HEADER_BYTES) return undefined;
  // A copy of its own, which begins where numbers of four bytes may.
  const whole = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
  const [magic, version, samples = 0, told = 0] = new Uint32Array(whole, 0, 4);
  const durations = told === NO_DURATIONS ? 0 : told;
  const sound =
    magic === MAGIC &&
    version === VERSION &&
    file.length === HEADER_BYTES + BYTES * (samples + durations) &&
    file.toString('hex', KEY_AT, CHECKSUM_AT) === key &&
    new Uint32Array(whole, CHECKSUM_AT, 1)[0] === checksum(file);
  if (!sound) return undefined;
  return {
    samples: new Float32Array(whole, HEADER_BYTES + BYTES * durations, samples),
    ...(told !== NO_DURATIONS && { durations: new Int32Array(whole, HEADER_BYTES, durations) }),
  };
}

function checksum(file: Buffer): number {
  return crc32(file.subarray(CHECKSUM_AT + BYTES), crc32(file.subarray(0, CHECKSUM_AT)));
}

function bytes({ buffer, byteOffset, byteLength }: Float32Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function owned<Numbers extends Float32Array | Int32Array>(numbers: Numbers): Numbers {
  return numbers.byteLength === numbers.buffer.byteLength ? numbers : (numbers.slice() as Numbers);
}
