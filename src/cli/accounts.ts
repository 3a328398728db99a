import { Accounts } from '../accounts/accounts.js';
import { readSettings } from '../config.js';
import { makeDataFolder } from '../folders.js';
import { placesOf } from '../places.js';
import { openSqliteStore } from '../store/sqlite/open.js';

/** Works on the accounts of the data directory, also beside a running service, which sees the change at once. */
export function withAccounts(work: (accounts: Accounts) => void): void {
  const settings = readSettings();
  makeDataFolder(settings.dataDir);
  const store = openSqliteStore({ file: placesOf(settings).database });
  try {
    work(new Accounts(store.accounts));
  } finally {
    void store.close();
  }
}
