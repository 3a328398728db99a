/** Bytes [start, end] of a file, both inclusive, as HTTP counts. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header (RFC 9110, 14.2) against a file's size. `undefined`: send the whole file, because there is
 * no header, or one that may be ignored (another unit, several ranges, not well formed). `unsatisfiable`: 416.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const parts = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!parts) return undefined;
  const [first, last] = [parts[1]!, parts[2]!];
  if (first === '') return last === '' ? undefined : suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}

/** The last `length` bytes. */
function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { start: Math.max(0, size - length), end: size - 1 };
}
