import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Accounts, type Scope } from '../../src/accounts/accounts.js';
import { FileArtifactStore } from '../../src/artifacts/files/file-artifact-store.js';
import { loadSigningKeys } from '../../src/artifacts/signing-keys.js';
import { readSettings, type Overrides } from '../../src/config.js';
import { createApp } from '../../src/http/app.js';
import type { Readiness } from '../../src/http/parts.js';
import { createHttpServer } from '../../src/http/server.js';
import { JobQueue } from '../../src/jobs/job-queue.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { ApiClient, type ApiAnswer } from './client.js';
import { ScriptedSpeaker } from './scripted-speaker.js';

/** 5000 characters: minutes of speech, so that it is in progress for a while. */
export const LONG_TEXT =
  'Every sentence of this text is much like the one before it. '.repeat(84).slice(0, 4999) + '.';

export interface Api {
  /** A user, another one, and a key of the first that may only read. */
  ann: ApiClient;
  bob: ApiClient;
  reader: ApiClient;
  close(): Promise<void>;
}

export interface ScriptedApi extends Api {
  speaker: ScriptedSpeaker;
  dataDir: string;
  /** Lines written so far. */
  log: string[];
  readiness: Readiness;
  stopJobs(): Promise<void>;
}

/** Every room is real but the voice, which follows a script. */
export async function startScriptedApi(
  overrides: Overrides = {},
  { annsQuota }: { annsQuota?: number } = {},
): Promise<ScriptedApi> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lantang-api-'));
  const settings = readSettings({ port: 0, voiceAliases: { 'tts-dimas-formal': 'nadia' }, ...overrides }, {});
  const store = openSqliteStore({ file: join(dataDir, 'lantang.db') });
  const artifacts = await FileArtifactStore.open(join(dataDir, 'artifacts'));
  const accounts = new Accounts(store.accounts);
  const keys = makeKeys(accounts, annsQuota);
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const speaker = new ScriptedSpeaker();
  const jobs = new JobQueue(
    {
      store: store.jobs,
      artifacts,
      speaker,
      log,
      localModel: (model) => settings.voiceAliases[model] ?? model,
    },
    { inFlight: settings.jobsInFlight, attemptMilliseconds: 60_000 },
  );
  const readiness: Readiness = { ready: true, checks: [{ name: 'voice', ok: true }] };
  const app = createApp({
    ...{ jobs, accounts, artifacts, speaker, settings, log },
    catalogue: { models: () => [NADIA], find: (name) => (name === 'nadia' ? NADIA : undefined) },
    health: { readiness: () => readiness },
    signingKeys: loadSigningKeys(join(dataDir, 'signing-keys.json')),
  });
  const server = createHttpServer(app, settings);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await jobs.start();
  const ann = await ApiClient.of(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys.ann);
  return {
    ...{ ann, bob: ann.as(keys.bob), reader: ann.as(keys.reader), speaker, dataDir, log: lines, readiness },
    stopJobs: () => jobs.stop({ milliseconds: 0 }),
    async close() {
      speaker.release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await jobs.stop({ milliseconds: 0 });
      store.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export const startApi: (overrides?: Overrides, options?: { annsQuota?: number }) => Promise<Api> =
  startScriptedApi;

function makeKeys(accounts: Accounts, annsQuota?: number): Record<'ann' | 'bob' | 'reader', string> {
  for (const user of ['ann', 'bob']) accounts.createUser(user);
  if (annsQuota !== undefined) accounts.setQuota('ann', annsQuota);
  const key = (user: string, scopes: Scope[]) => accounts.createKey({ user, name: 'test', scopes }).key;
  return {
    ann: key('ann', ['submit', 'read']),
    bob: key('bob', ['submit', 'read']),
    reader: key('ann', ['read']),
  };
}

const NADIA = {
  ...{ name: 'nadia', voice: 'nadia', speaker: 0, label: 'Nadia', language: 'en-US', domain: 'general' },
  ...{ gender: 'female', licence: 'Apache-2.0', sampleRate: 24000, marks: true },
};

/** Asks for a job's status until it is the wanted one, as a client polls. */
export async function untilStatus(client: ApiClient, id: string, wanted: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { json } = await client.get(`/v2/speech/tts/${id}/status`);
    if (json.status === wanted) return;
    if (Date.now() > deadline) throw new Error(`The job stayed ${json.status}.`);
  }
}

/** The job as it is once nothing more will happen to it. */
export async function untilSettled(client: ApiClient, id: string): Promise<ApiAnswer> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { json } = await client.get(`/v2/speech/tts/${id}/status`);
    if (['complete', 'failed', 'cancelled'].includes(json.status as string))
      return client.get(`/v2/speech/tts/${id}`);
    if (Date.now() > deadline) throw new Error(`The job stayed ${json.status}.`);
  }
}
