import protobuf from 'protobufjs/minimal.js';

/*
 * Protocol Buffers on the wire, driven by small tables of field numbers. What a table does not name is kept as the
 * bytes it came in and written back, so a message can be changed without knowing all of it.
 * https://protobuf.dev/programming-guides/encoding/
 */

type Scalar = 'int64' | 'int32' | 'float' | 'string' | 'bytes';

export interface Field {
  number: number;
  kind: Scalar | MessageTable;
  /** Absent reads as an empty list. */
  repeated?: boolean;
  /** What an absent field reads as, if not as undefined. */
  absent?: string | number;
}

/** Property name → its field. */
export interface MessageTable {
  [property: string]: Field;
}

/** A decoded message: known fields by property, the others as they came. */
export interface Message {
  /** Tags and values of the fields that the table does not name. */
  unknown?: Uint8Array[];
}

type Values = Record<string, unknown> & Message;

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;
const WIRE_TYPES: Record<Scalar, number> = {
  int64: VARINT,
  int32: VARINT,
  float: FIXED_32,
  string: LENGTH_DELIMITED,
  bytes: LENGTH_DELIMITED,
};

/** Throws an Error where the bytes are no such message. */
export function decode(bytes: Uint8Array, table: MessageTable): Message {
  return decodeFields(protobuf.Reader.create(bytes), bytes, bytes.length, table);
}

function decodeFields(reader: protobuf.Reader, bytes: Uint8Array, end: number, table: MessageTable): Message {
  const fields = new Map(
    Object.entries(table).map(([property, field]) => [field.number, { property, field }]),
  );
  const message = emptyMessage(table);
  while (reader.pos < end) {
    const start = reader.pos;
    const tag = reader.uint32();
    const known = fields.get(tag >>> 3);
    if (known) {
      const values = readValues(reader, bytes, tag & 7, known.field.kind);
      store(message, known.property, known.field, values);
    } else {
      reader.skipType(tag & 7);
      (message.unknown ??= []).push(bytes.subarray(start, reader.pos));
    }
  }
  if (reader.pos !== end) throw new RangeError('A field runs past the end of its message.');
  return message;
}

function emptyMessage(table: MessageTable): Values {
  const message: Values = {};
  for (const [property, { repeated, absent }] of Object.entries(table)) {
    if (repeated) message[property] = [];
    else if (absent !== undefined) message[property] = absent;
  }
  return message;
}

function store(message: Values, property: string, field: Field, values: unknown[]): void {
  if (!field.repeated) {
    message[property] = values.at(-1);
    return;
  }
  const list = message[property] as unknown[];
  for (const value of values) list.push(value);
}

/** One value, or many where a repeated number came packed: a reader must take both. */
function readValues(
  reader: protobuf.Reader,
  bytes: Uint8Array,
  wireType: number,
  kind: Field['kind'],
): unknown[] {
  if (typeof kind === 'object') {
    requireWireType(wireType, LENGTH_DELIMITED);
    const length = reader.uint32();
    return [decodeFields(reader, bytes, reader.pos + length, kind)];
  }
  const own = WIRE_TYPES[kind];
  if (wireType === LENGTH_DELIMITED && own !== LENGTH_DELIMITED) {
    const end = reader.uint32() + reader.pos;
    const values: unknown[] = [];
    while (reader.pos < end) values.push(readScalar(reader, kind));
    return values;
  }
  requireWireType(wireType, own);
  return [readScalar(reader, kind)];
}

function requireWireType(actual: number, expected: number): void {
  if (actual !== expected) throw new TypeError(`A field has wire type ${actual}, not ${expected}.`);
}

function readScalar(reader: protobuf.Reader, kind: Scalar): unknown {
  return kind === 'int64' ? toBigInt(reader.int64()) : reader[kind]();
}

/** The reader gives a Long where that package is installed and a number elsewhere. */
function toBigInt(value: number | { low: number; high: number }): bigint {
  if (typeof value === 'number') return BigInt(value);
  return (BigInt(value.high) << 32n) | BigInt(value.low >>> 0);
}

export function encode(message: Message, table: MessageTable): Uint8Array {
  const writer = protobuf.Writer.create();
  writeFields(writer, message as Values, table);
  return writer.finish();
}

function writeFields(writer: protobuf.Writer, message: Values, table: MessageTable): void {
  for (const [property, field] of Object.entries(table)) {
    const value = message[property];
    if (value === undefined || value === field.absent) continue;
    for (const one of field.repeated ? (value as unknown[]) : [value]) writeValue(writer, field, one);
  }
  for (const raw of message.unknown ?? []) writer.raw(raw);
}

function writeValue(writer: protobuf.Writer, { number, kind }: Field, value: unknown): void {
  if (typeof kind === 'object') {
    writer.uint32((number << 3) | LENGTH_DELIMITED).fork();
    writeFields(writer, value as Values, kind);
    writer.ldelim();
    return;
  }
  writer.uint32((number << 3) | WIRE_TYPES[kind]);
  if (kind === 'int64') writer.int64(toLong(value as bigint));
  else writer[kind](value as never);
}

function toLong(value: bigint): Parameters<protobuf.Writer['int64']>[0] {
  const low = Number(BigInt.asIntN(32, value));
  const high = Number(BigInt.asIntN(32, value >> 32n));
  return { low, high, unsigned: false };
}
