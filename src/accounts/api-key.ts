import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'lt_';
const KEY_BYTES = 32;
const HINT_CHARACTERS = 7;

/** A new key: 256 random bits, so that a plain hash of it can't be turned back and none can be guessed. */
export function newApiKey(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64url');
}

/** What is kept of a key: SHA-256 of it. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** The beginning of a key, by which its owner recognises it; less of a short one. */
export function hintOf(key: string): string {
  return key.slice(0, Math.min(HINT_CHARACTERS, Math.floor(key.length / 4)));
}

export function sameHash(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
