import Database from 'better-sqlite3';
import { LantangError } from '../../errors.js';
import type { AccountStore, StoredKey, User } from '../account-store.js';
import type { Connection } from './connection.js';
import { admit } from './quotas.js';

interface UserRow {
  name: string;
  created_at: number;
  quota: number | null;
  used: number;
  reserved: number;
}

interface KeyRow {
  id: string;
  user: string;
  name: string;
  hash: Buffer;
  hint: string;
  scopes: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

const USERS = 'SELECT name, created_at, quota, used, reserved FROM users';
const KEYS = 'SELECT keys.*, users.name AS user FROM keys JOIN users ON users.id = keys.user';

/** Users and keys in SQLite. Several processes may use it at once: each call reads what is true now. */
export class SqliteAccountStore implements AccountStore {
  readonly #connection: Connection;
  readonly #now: () => number;

  constructor(connection: Connection, now: () => number) {
    this.#connection = connection;
    this.#now = now;
  }

  users(): User[] {
    return this.#connection.all<UserRow>(`${USERS} ORDER BY id`).map(userOf);
  }

  user(name: string): User {
    const row = this.#connection.get<UserRow>(`${USERS} WHERE name = ?`, name);
    if (!row) throw unknownUser(name);
    return userOf(row);
  }

  addUser(name: string): User {
    try {
      this.#write('INSERT INTO users (name, created_at) VALUES (?, ?)', name, this.#now());
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
      throw new LantangError('user_exists', `There is a user "${name}" already.`, {
        context: { user: name },
      });
    }
    return this.user(name);
  }

  setQuota(name: string, limit: number | undefined): void {
    this.#ofUser(name, this.#write('UPDATE users SET quota = ? WHERE name = ?', limit ?? null, name));
  }

  resetUsage(name: string): void {
    this.#ofUser(name, this.#write('UPDATE users SET used = 0 WHERE name = ?', name));
  }

  spend(name: string, characters: number): void {
    this.#connection.transaction(() => {
      admit(this.user(name).quota, characters);
      this.#connection.run('UPDATE users SET used = used + ? WHERE name = ?', characters, name);
    }, false);
  }

  refund(name: string, characters: number): void {
    // A new period may have begun in between.
    const sql = 'UPDATE users SET used = max(0, used - ?) WHERE name = ?';
    this.#connection.transaction(() => this.#connection.run(sql, characters, name), false);
  }

  addKey(key: StoredKey): void {
    const changes = this.#write(
      `INSERT INTO keys (id, user, name, hash, hint, scopes, created_at, expires_at)
       SELECT ?, id, ?, ?, ?, ?, ?, ? FROM users WHERE name = ?`,
      key.id,
      key.name,
      key.hash,
      key.hint,
      JSON.stringify(key.scopes),
      key.createdAt,
      key.expiresAt ?? null,
      key.user,
    );
    this.#ofUser(key.user, changes);
  }

  keyByHash(hash: Buffer): StoredKey | undefined {
    const row = this.#connection.get<KeyRow>(`${KEYS} WHERE hash = ?`, hash);
    return row && keyOf(row);
  }

  keys(user?: string): StoredKey[] {
    const rows =
      user === undefined
        ? this.#connection.all<KeyRow>(`${KEYS} ORDER BY keys.created_at, keys.id`)
        : this.#connection.all<KeyRow>(
            `${KEYS} WHERE users.name = ? ORDER BY keys.created_at, keys.id`,
            user,
          );
    return rows.map(keyOf);
  }

  revokeKey(id: string, at: number): boolean {
    return this.#write('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id) === 1;
  }

  removeKey(id: string): void {
    this.#write('DELETE FROM keys WHERE id = ?', id);
  }

  noteUse(uses: ReadonlyMap<string, number>): void {
    this.#connection.transaction(() => {
      for (const [id, at] of uses)
        this.#connection.run('UPDATE keys SET last_used_at = ? WHERE id = ?', at, id);
    }, false);
  }

  #write(sql: string, ...values: unknown[]): number {
    return this.#connection.transaction(() => this.#connection.run(sql, ...values).changes);
  }

  #ofUser(name: string, changes: number): void {
    if (changes === 0) throw unknownUser(name);
  }
}

function userOf({ name, created_at, quota, used, reserved }: UserRow): User {
  return { name, createdAt: created_at, quota: { ...(quota !== null && { limit: quota }), used, reserved } };
}

function keyOf(row: KeyRow): StoredKey {
  return {
    id: row.id,
    user: row.user,
    name: row.name,
    hash: row.hash,
    hint: row.hint,
    scopes: JSON.parse(row.scopes) as string[],
    createdAt: row.created_at,
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}

export function unknownUser(name: string): LantangError {
  return new LantangError('user_not_found', `There is no user "${name}".`, { context: { user: name } });
}
