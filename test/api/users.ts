import type { Accounts, Scope } from '../../src/accounts/accounts.js';
import type { ApiClient } from './client.js';

export interface Api {
  /** A user, another one, and a key of the first that may only read. */
  ann: ApiClient;
  bob: ApiClient;
  reader: ApiClient;
  close(): Promise<void>;
}

export interface Quotas {
  /** Characters that Ann may have spoken. */
  annsQuota?: number;
}

let users = 0;

/** Two users that nobody else has, and their keys. */
export function makeKeys(
  accounts: Accounts,
  { annsQuota }: Quotas = {},
): Record<'ann' | 'bob' | 'reader', string> {
  users += 1;
  const [ann, bob] = [`ann-${users}`, `bob-${users}`];
  for (const user of [ann, bob]) accounts.createUser(user);
  if (annsQuota !== undefined) accounts.setQuota(ann, annsQuota);
  const key = (user: string, scopes: Scope[]) => accounts.createKey({ user, name: 'test', scopes }).key;
  return { ann: key(ann, ['submit', 'read']), bob: key(bob, ['submit', 'read']), reader: key(ann, ['read']) };
}
