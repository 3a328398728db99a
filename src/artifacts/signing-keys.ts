import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync, mkdirSync, openSync, fsyncSync, closeSync } from 'node:fs';
import { dirname } from 'node:path';
import { LantangError } from '../errors.js';
import type { SigningKey } from './signed-url.js';

/** What the file holds: newest key first. */
interface KeyFile {
  keys: { id: string; secret: string }[];
}

const SECRET_BYTES = 32;
/** Keys that still verify: the newest signs, the one before lets URLs of before the change live on. */
const KEPT = 2;

/** The keys in `file`, newest first; the first start makes the file and one key. Throws `signing_keys_invalid`. */
export function loadSigningKeys(file: string): [SigningKey, ...SigningKey[]] {
  const known = readKeys(file);
  return known === undefined ? storeKeys(file, [newKey()]) : known;
}

/** Makes a new key that signs from now on. URLs signed by the one before stay good until they expire. */
export function rotateSigningKeys(file: string): [SigningKey, ...SigningKey[]] {
  return storeKeys(file, [newKey(), ...loadSigningKeys(file).slice(0, KEPT - 1)]);
}

function newKey(): SigningKey {
  return { id: randomBytes(4).toString('hex'), secret: randomBytes(SECRET_BYTES) };
}

function readKeys(file: string): [SigningKey, ...SigningKey[]] | undefined {
  try {
    const { keys } = JSON.parse(readFileSync(file, 'utf8')) as KeyFile;
    const [first, ...others] = keys.map(({ id, secret }) => ({
      id,
      secret: Buffer.from(secret, 'base64url'),
    }));
    if (first?.secret.length !== SECRET_BYTES) throw new Error('The newest key has the wrong length.');
    return [first, ...others];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const message = `The file of signing keys ${file} cannot be read: remove it, and signed URLs given out before end.`;
    throw new LantangError('signing_keys_invalid', message, { cause: error });
  }
}

/** Only the owner may read the file; it is replaced as a whole. */
function storeKeys(file: string, keys: [SigningKey, ...SigningKey[]]): [SigningKey, ...SigningKey[]] {
  const content: KeyFile = {
    keys: keys.map(({ id, secret }) => ({ id, secret: secret.toString('base64url') })),
  };
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  writeFileSync(handle, `${JSON.stringify(content, null, 2)}\n`);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(partial, file);
  return keys;
}
