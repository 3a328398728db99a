import { randomUUID } from 'node:crypto';
import { LantangError } from '../errors.js';
import type { AccountStore, StoredKey, User } from '../store/account-store.js';
import { hashApiKey, hintOf, newApiKey, sameHash } from './api-key.js';

export const SCOPES = ['submit', 'read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The user that everything belongs to where nobody made others. */
export const DEFAULT_USER = 'default';
/** Name of the key that comes from outside; there is one at a time. */
const GIVEN_KEY = 'environment';
const USER_NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** Who calls: the user that jobs belong to, and what the key in hand allows. */
export interface Caller {
  user: string;
  keyId: string;
  scopes: readonly Scope[];
}

/** A key as it is listed. */
export type KeyFacts = Omit<StoredKey, 'hash' | 'scopes'> & { scopes: readonly Scope[] };

export interface NewKey {
  user: string;
  name: string;
  /** All, when left out. */
  scopes?: readonly Scope[];
  /** Milliseconds since the epoch; never, when left out. */
  expiresAt?: number;
}

/**
 * Users, their keys and their quotas. Nothing is cached: finding a key by its hash costs less than asking whether a
 * cache is still true (see benchmarks/store.ts), and a key that another process revokes is refused at once.
 */
export class Accounts {
  readonly #store: AccountStore;
  readonly #now: () => number;
  readonly #uses = new Map<string, number>();

  constructor(store: AccountStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** The caller that a key belongs to; nobody when it is unknown, revoked or expired. */
  authenticate(key: string): Caller | undefined {
    const hash = hashApiKey(key);
    const stored = this.#store.keyByHash(hash);
    if (!stored || !sameHash(stored.hash, hash) || !this.#isGood(stored)) return undefined;
    this.#uses.set(stored.id, this.#now());
    return { user: stored.user, keyId: stored.id, scopes: stored.scopes as Scope[] };
  }

  /** Writes down when keys were last used: now and then, not with every request. */
  noteUse(): void {
    if (this.#uses.size === 0) return;
    this.#store.noteUse(this.#uses);
    this.#uses.clear();
  }

  /** Makes a key and tells it, once. Throws `user_not_found`, `invalid_argument`. */
  createKey(wanted: NewKey): { facts: KeyFacts; key: string } {
    const key = newApiKey();
    return { facts: this.#addKey(wanted, key), key };
  }

  keys(user?: string): KeyFacts[] {
    return this.#store.keys(user).map(factsOf);
  }

  /** By id, or by a beginning of one that no other key has. Throws `key_not_found`. */
  revokeKey(id: string): KeyFacts {
    const found = this.#store.keys().filter((key) => id !== '' && key.id.startsWith(id));
    const [key] = found;
    if (!key || found.length > 1 || !this.#store.revokeKey(key.id, this.#now())) throw unknownKey(id);
    return { ...factsOf(key), revokedAt: this.#now() };
  }

  /**
   * What the first start does: a default user, and a key for it. With `given`, that becomes the key, and one given
   * before is gone; else a key is made when there is none at all, and told. Throws `key_revoked`.
   */
  prepare(given?: string): { madeKey?: string } {
    if (!this.#store.users().some(({ name }) => name === DEFAULT_USER)) this.#store.addUser(DEFAULT_USER);
    if (given !== undefined) return this.#adopt(given);
    if (this.#store.keys().length > 0) return {};
    return { madeKey: this.createKey({ user: DEFAULT_USER, name: 'first' }).key };
  }

  users(): User[] {
    return this.#store.users();
  }

  /** Throws `user_exists`, `invalid_argument`. */
  createUser(name: string): User {
    if (!USER_NAME.test(name)) {
      const message = `A user's name is 1 to 64 letters, digits, dots, dashes, @ and _, but this is "${name}".`;
      throw new LantangError('invalid_argument', message);
    }
    return this.#store.addUser(name);
  }

  /** Throws `user_not_found`. */
  user(name: string): User {
    return this.#store.user(name);
  }

  /** Characters that may be spoken in all; `undefined` lifts the limit. Throws `user_not_found`, `invalid_argument`. */
  setQuota(user: string, limit: number | undefined): User {
    if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0)) {
      throw new LantangError(
        'invalid_argument',
        `A quota is a whole number of characters, but this is ${limit}.`,
      );
    }
    this.#store.setQuota(user, limit);
    return this.#store.user(user);
  }

  /** Begins a new period: nothing is used. */
  resetUsage(user: string): User {
    this.#store.resetUsage(user);
    return this.#store.user(user);
  }

  /** Takes characters for speech that is no job. Throws `quota_empty`, `quota_insufficient`, `user_not_found`. */
  spend(user: string, characters: number): void {
    this.#store.spend(user, characters);
  }

  /** Gives back what was spent for nothing. */
  refund(user: string, characters: number): void {
    this.#store.refund(user, characters);
  }

  #adopt(given: string): { madeKey?: string } {
    const hash = hashApiKey(given);
    for (const key of this.#store.keys()) {
      if (key.name === GIVEN_KEY && !key.hash.equals(hash)) this.#store.removeKey(key.id);
    }
    const known = this.#store.keyByHash(hash);
    if (!known) this.#addKey({ user: DEFAULT_USER, name: GIVEN_KEY }, given);
    else if (!this.#isGood(known)) throw revokedKey();
    return {};
  }

  #addKey({ user, name, scopes = SCOPES, expiresAt }: NewKey, key: string): KeyFacts {
    const stored: StoredKey = {
      id: randomUUID(),
      user,
      name,
      hash: hashApiKey(key),
      hint: hintOf(key),
      scopes: [...scopes],
      createdAt: this.#now(),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    this.#store.addKey(stored);
    return factsOf(stored);
  }

  #isGood({ revokedAt, expiresAt }: StoredKey): boolean {
    return revokedAt === undefined && (expiresAt === undefined || this.#now() < expiresAt);
  }
}

function factsOf(key: StoredKey): KeyFacts {
  const { hash, ...facts } = key;
  void hash;
  return { ...facts, scopes: key.scopes as Scope[] };
}

function unknownKey(id: string): LantangError {
  return new LantangError('key_not_found', `There is no key "${id}" that could be revoked.`);
}

function revokedKey(): LantangError {
  return new LantangError('key_revoked', 'The API key given from outside was revoked: give another one.');
}
