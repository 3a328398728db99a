import { createHmac, timingSafeEqual } from 'node:crypto';
import { refusal } from './error-table.js';

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
export function signPath(path: string, expires: number, { id, secret }: SigningKey): string {
  const signature = digest(path, String(expires), id, secret).toString('base64url');
  return new URLSearchParams({ expires: String(expires), key: id, signature }).toString();
}

/**
 * Passes when the signature is one of ours and still good at `now`, milliseconds since the epoch.
 * Throws `signed_url_invalid`, `signed_url_expired`.
 */
export function verifyPath(path: string, given: Signature, key: SigningKey, now: number): void {
  const { expires = '', key: id = '', signature = '' } = given;
  const expected = digest(path, expires, key.id, key.secret);
  const actual = Buffer.from(signature, 'base64url');
  const equal = actual.length === expected.length && timingSafeEqual(actual, expected);
  if (!equal || id !== key.id || actual.toString('base64url') !== signature)
    throw refusal('signed_url_invalid');
  if (now >= Number(expires) * 1000) throw refusal('signed_url_expired');
}

function digest(path: string, expires: string, id: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${path}\n${expires}\n${id}`).digest();
}
