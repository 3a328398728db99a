import { rm } from 'node:fs/promises';
import { Accounts } from '../../src/accounts/accounts.js';
import type { Overrides } from '../../src/config.js';
import { startServer } from '../../src/main.js';
import { placesOf } from '../../src/places.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { makeDataDir } from '../prepared-folder.js';
import { ApiClient } from './client.js';
import { makeKeys, type Api, type Quotas } from './users.js';

interface Running {
  url: string;
  dataDir: string;
  close: () => Promise<void>;
}

let shared: Promise<Running> | undefined;

after(async () => (await shared)?.close());

/**
 * The whole service over a real socket, with users that nobody else has. Tests that set nothing share one server;
 * those with settings of their own get one of their own.
 */
export async function startApi(overrides?: Overrides, quotas: Quotas = {}): Promise<Api> {
  const own = overrides !== undefined;
  const { url, dataDir, close } = own ? await run(overrides) : await (shared ??= run({}));
  const keys = withAccounts(dataDir, (accounts) => makeKeys(accounts, quotas));
  const ann = await ApiClient.of(url, keys.ann);
  const end = own ? close : () => Promise.resolve();
  return { ann, bob: ann.as(keys.bob), reader: ann.as(keys.reader), close: end };
}

async function run(overrides: Overrides): Promise<Running> {
  const dataDir = await makeDataDir();
  const server = await startServer({
    ...{ dataDir, port: 0, logLevel: 'fatal', apiKey: 'the-first-key-of-all', drainSeconds: 0 },
    ...{ voiceAliases: { 'tts-dimas-formal': 'nadia' } },
    // Named, so that nothing measures the machine while tests are running.
    devices: ['cpu'],
    ...overrides,
  });
  return {
    url: server.url,
    dataDir,
    async close() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Accounts may be changed from beside the service, as the command line does. */
function withAccounts<T>(dataDir: string, use: (accounts: Accounts) => T): T {
  const store = openSqliteStore({ file: placesOf({ dataDir, modelsDir: undefined }).database });
  try {
    return use(new Accounts(store.accounts));
  } finally {
    void store.close();
  }
}
