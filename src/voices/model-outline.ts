import type { FileHandle } from 'node:fs/promises';
import { LantangError } from '../errors.js';

/*
 * ModelProto of onnx/onnx.proto, seen from afar: its fields one after another, each a tag and a value, of which only
 * the extent is read. https://protobuf.dev/programming-guides/encoding/
 */

const GRAPH_FIELD = 7;
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;
/** A tag and a length. */
const LONGEST_HEAD = 20;
/** A model has a dozen fields, and one for every function and note. */
const MOST_FIELDS = 100_000;

/**
 * Whether a file has the shape of an ONNX model, all of it: what was cut short, is empty or is something else is found
 * out in a few reads, whatever its size. Throws `voice_invalid`.
 */
export async function requireModelOutline(file: FileHandle, name: string): Promise<void> {
  const { size } = await file.stat();
  const head = Buffer.alloc(LONGEST_HEAD);
  let graphs = 0;
  let at = 0;
  for (let fields = 0; at < size && fields < MOST_FIELDS; fields++) {
    const { bytesRead } = await file.read(head, 0, LONGEST_HEAD, at);
    const extent = extentOf(head.subarray(0, bytesRead));
    if (!extent) break;
    if (extent.field === GRAPH_FIELD) graphs += 1;
    at += extent.bytes;
  }
  if (at === size && graphs === 1) return;
  const cut =
    graphs === 1 && at > size ? `it ends ${at - size} bytes too early` : 'it is empty, cut short or no model';
  throw new LantangError('voice_invalid', `${name} is damaged or is no ONNX model: ${cut}.`);
}

/** The field that begins here, and how many bytes it has in all; undefined where none does. */
function extentOf(head: Buffer): { field: number; bytes: number } | undefined {
  const tag = varint(head, 0);
  if (!tag || tag.value < 8) return undefined;
  const [field, type] = [Math.floor(tag.value / 8), tag.value % 8];
  if (type === FIXED_64) return { field, bytes: tag.end + 8 };
  if (type === FIXED_32) return { field, bytes: tag.end + 4 };
  const next = varint(head, tag.end);
  if (!next) return undefined;
  if (type === VARINT) return { field, bytes: next.end };
  return type === LENGTH_DELIMITED ? { field, bytes: next.end + next.value } : undefined;
}

/** Seven bits a byte, the lowest first. */
function varint(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length && at < start + 10; at++) {
    value += (bytes[at]! & 0x7f) * 2 ** (7 * (at - start));
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
