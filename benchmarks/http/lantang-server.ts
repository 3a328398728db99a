import { join } from 'node:path';
import { pino } from 'pino';
import { Accounts } from '../../src/accounts/accounts.js';
import { FileArtifactStore } from '../../src/artifacts/files/file-artifact-store.js';
import { loadSigningKeys } from '../../src/artifacts/signing-keys.js';
import { readSettings } from '../../src/config.js';
import { createApp } from '../../src/http/app.js';
import { AUDIO_FORMATS } from '../../src/http/schemas/reading.js';
import { createHttpServer } from '../../src/http/server.js';
import { JobQueue } from '../../src/jobs/job-queue.js';
import type { JobStore } from '../../src/store/job-store.js';
import type { NewJob } from '../../src/store/job.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { serveMeasured } from './measured-server.js';

/*
 * The service's own app, accounts and stores; its jobs are accepted but not begun, so that the figures are those of
 * HTTP and the store alone. `argv`: folder of the data, jobs to begin with, the API key, level of the log.
 */
const [directory = '.', stored = '0', key = '', logLevel = 'silent'] = process.argv.slice(2);

const settings = readSettings({ logLevel }, {});
const log = pino(
  { level: settings.logLevel },
  pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 }),
);
const store = openSqliteStore({ file: join(directory, 'lantang.db') });
const artifacts = await FileArtifactStore.open(join(directory, 'artifacts'));
const accounts = new Accounts(store.accounts);
accounts.prepare(key);
const speaker = {
  speak: () => {
    throw new Error('This benchmark does not speak.');
  },
};
const jobs = new JobQueue(
  { store: store.jobs, artifacts, speaker, log, localModel: (model) => model },
  { inFlight: settings.jobsInFlight, attemptMilliseconds: 60_000 },
);
const voice = {
  ...{ name: 'nadia', voice: 'nadia', speaker: 0, label: 'Nadia', language: 'en-US', domain: 'general' },
  ...{ gender: 'female', licence: 'Apache-2.0', sampleRate: 24000, marks: true },
};
const app = createApp({
  ...{ jobs, accounts, artifacts, speaker, settings, log },
  catalogue: { models: () => [voice], find: (name) => (name === voice.name ? voice : undefined) },
  abilities: { formats: () => [...AUDIO_FORMATS], shiftsPitch: () => true },
  health: { readiness: () => ({ ready: true, checks: [] }) },
  signingKeys: loadSigningKeys(join(directory, 'signing-keys.json')),
});
await serveMeasured(createHttpServer(app, settings), await fill(store.jobs, Number(stored)));

/** Ids of every hundredth job. */
async function fill(jobStore: JobStore, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let at = 0; at < count; at += 1000) {
    const batch = Array.from({ length: Math.min(1000, count - at) }, (_, index) =>
      jobStore.submit(newJob(at + index)),
    );
    const answers = await Promise.all(batch);
    made.push(...answers.filter((_, index) => index % 100 === 0).map(({ job }) => job.id));
  }
  return made;
}

function newJob(index: number): NewJob {
  const text = `Stored job number ${index}.`;
  return {
    user: 'default',
    request: { text },
    config: {
      model: 'nadia',
      wait: false,
      pitch: 0,
      tempo: 1,
      audioFormat: 'opus',
      sampleRate: 48000,
      seed: 0,
    },
    characters: text.length,
  };
}
