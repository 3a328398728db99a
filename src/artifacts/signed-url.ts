import { createHmac, timingSafeEqual } from 'node:crypto';
import { LantangError } from '../errors.js';

/** A secret that signs URLs, and its name, which the URL carries so that keys can be changed. */
export interface SigningKey {
  id: string;
  secret: Buffer;
}

/** What the query of a signed URL carries. */
export interface Signature {
  expires?: string;
  key?: string;
  signature?: string;
}

/** The query that makes `path` readable without an API key until `expires`, seconds since the epoch. */
export function signPath(path: string, expires: number, key: SigningKey): string {
  const signature = digest(path, String(expires), key).toString('base64url');
  return new URLSearchParams({ expires: String(expires), key: key.id, signature }).toString();
}

/**
 * Passes when one of `keys` signed exactly this path and expiry, and `now`, milliseconds since the epoch, is before
 * it. Throws `signed_url_invalid` for what none of us signed, and `signed_url_expired` only for what one of us did.
 */
export function verifyPath(path: string, given: Signature, keys: readonly SigningKey[], now: number): void {
  const { expires = '', key: id = '', signature = '' } = given;
  const key = keys.find((candidate) => candidate.id === id);
  if (!key || !equal(signature, digest(path, expires, key).toString('base64url'))) {
    throw new LantangError('signed_url_invalid', 'The signed URL was altered or is incomplete.');
  }
  if (now >= Number(expires) * 1000) {
    throw new LantangError('signed_url_expired', 'The signed URL has expired: ask for a new one.');
  }
}

function digest(path: string, expires: string, { id, secret }: SigningKey): Buffer {
  return createHmac('sha256', secret).update(`${path}\n${expires}\n${id}`).digest();
}

/** Compares the texts, not what they decode to: base64url has several spellings of the same bytes. */
function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
