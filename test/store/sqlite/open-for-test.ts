import { join } from 'node:path';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { StoreUnderTest } from '../job-store-contract.js';
import { temporaryFolder } from '../../temporary-folder.js';

/** A real database on disk, with two users; the folder goes when it is closed. */
export function openForTest(): StoreUnderTest & { file: string } {
  const folder = temporaryFolder();
  const clock = { now: 0 };
  const opened = openAt(join(folder.path, 'store.db'), clock, folder.clean);
  for (const user of ['ana', 'budi']) opened.accounts.addUser(user);
  return opened;
}

function openAt(file: string, clock: { now: number }, clean: () => void): StoreUnderTest & { file: string } {
  const { jobs, accounts, close } = openSqliteStore({ file, now: () => clock.now });
  return {
    file,
    jobs,
    accounts,
    clock,
    reopen() {
      void close();
      return openAt(file, clock, clean);
    },
    async close() {
      await close();
      clean();
    },
  };
}
