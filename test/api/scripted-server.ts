import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Accounts } from '../../src/accounts/accounts.js';
import { FileArtifactStore } from '../../src/artifacts/files/file-artifact-store.js';
import { loadSigningKeys } from '../../src/artifacts/signing-keys.js';
import { readSettings, type Overrides } from '../../src/config.js';
import { createApp } from '../../src/http/app.js';
import type { Readiness } from '../../src/http/parts.js';
import { AUDIO_FORMATS } from '../../src/http/schemas/reading.js';
import { createHttpServer } from '../../src/http/server.js';
import { JobQueue } from '../../src/jobs/job-queue.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { ApiClient } from './client.js';
import { makeKeys, type Api } from './users.js';
import { ScriptedSpeaker } from './scripted-speaker.js';

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
  parentFolder = tmpdir(),
): Promise<ScriptedApi> {
  const dataDir = await mkdtemp(join(parentFolder, 'lantang-api-'));
  const ours = { port: 0, defaultVoice: 'nadia', voiceAliases: { 'tts-dimas-formal': 'nadia' } };
  const settings = readSettings({ ...ours, ...overrides }, {});
  const store = openSqliteStore({ file: join(dataDir, 'lantang.db') });
  const artifacts = await FileArtifactStore.open(join(dataDir, 'artifacts'));
  const accounts = new Accounts(store.accounts);
  const keys = makeKeys(accounts);
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
    abilities: { formats: () => [...AUDIO_FORMATS], shiftsPitch: () => true },
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
      await store.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

const NADIA = {
  ...{ name: 'nadia', voice: 'nadia', speaker: 0, label: 'Nadia', language: 'en-US', domain: 'general' },
  ...{ gender: 'female', licence: 'Apache-2.0', sampleRate: 24000, marks: true },
};
