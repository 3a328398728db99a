import type { Quota } from './job-store.js';

export interface User {
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  quota: Quota;
}

/** An API key as it is kept: the key itself is not. */
export interface StoredKey {
  id: string;
  user: string;
  name: string;
  /** SHA-256 of the key. */
  hash: Buffer;
  /** The first characters of the key, so that a person can tell keys apart. */
  hint: string;
  scopes: string[];
  /** Milliseconds since the epoch, like all below. */
  createdAt: number;
  lastUsedAt?: number;
  expiresAt?: number;
  revokedAt?: number;
}

/** Where users and their keys are kept. Calls are rare and small, so they are synchronous. */
export interface AccountStore {
  users(): User[];
  /** Throws `user_not_found`. */
  user(name: string): User;
  /** Throws `user_exists`. */
  addUser(name: string): User;
  /** Characters that a user may have spoken in all; `undefined` lifts the limit. Throws `user_not_found`. */
  setQuota(name: string, limit: number | undefined): void;
  /** A new period: nothing is used. */
  resetUsage(name: string): void;
  /**
   * Takes characters for speech that is no job. When the power fails the newest may be forgotten.
   * Throws `quota_empty`, `quota_insufficient`, `user_not_found`.
   */
  spend(name: string, characters: number): void;
  /** Gives back what was spent for nothing. */
  refund(name: string, characters: number): void;

  /** Throws `user_not_found`. */
  addKey(key: StoredKey): void;
  keyByHash(hash: Buffer): StoredKey | undefined;
  keys(user?: string): StoredKey[];
  /** False where there is no such key or it is revoked already. */
  revokeKey(id: string, at: number): boolean;
  /** Leaves no trace of a key. */
  removeKey(id: string): void;
  /** When keys were last used, by id. */
  noteUse(uses: ReadonlyMap<string, number>): void;
}
