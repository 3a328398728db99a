import { byteRange } from './byte-range.js';
import type { Call } from './call.js';
import { downloadOf } from './download.js';
import { refusal } from './error-table.js';
import type { AppParts } from './parts.js';

/** Answers with a stored file: conditional (`If-None-Match`, `If-Range`), whole or one range of it. */
export async function sendFile(
  call: Call,
  artifacts: AppParts['artifacts'],
  artifact: string,
  expectedSize: number | undefined,
): Promise<void> {
  const file = await artifacts.open(artifact, expectedSize);
  const { size, etag } = file;
  call.set({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, immutable, max-age=3600',
  });
  if (matches(call.get('if-none-match'), etag)) {
    call.status = 304;
    return;
  }
  const range = mayBeRanged(call, etag) ? byteRange(call.get('range'), size) : undefined;
  if (range === 'unsatisfiable') {
    call.set('content-range', `bytes */${size}`);
    throw refusal('range_not_satisfiable', { size });
  }
  call.status = range ? 206 : 200;
  if (range) call.set('content-range', `bytes ${range.start}-${range.end}/${size}`);
  const { contentType, fileName } = downloadOf(artifact);
  call.set('content-disposition', `inline; filename="${fileName}"`);
  call.type = contentType;
  call.length = range ? range.end - range.start + 1 : size;
  if (call.method !== 'HEAD') call.body = file.stream(range);
}

/** `If-Range` with another version asks for the whole file (RFC 9110, 13.1.5). */
function mayBeRanged(call: Call, etag: string): boolean {
  const condition = call.get('if-range');
  return condition === '' || condition === etag;
}

function matches(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === etag);
}
