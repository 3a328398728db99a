import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Accounts } from './accounts/accounts.js';
import type { EncoderProcess } from './audio/encoder-process.js';
import { FileArtifactStore } from './artifacts/files/file-artifact-store.js';
import { loadSigningKeys } from './artifacts/signing-keys.js';
import { tuneWhenIdle } from './background-tuning.js';
import { readyTheOthers } from './background-voices.js';
import { readSettings, unknownVariables, type Overrides, type Settings } from './config.js';
import { LantangError } from './errors.js';
import { createApp } from './http/app.js';
import { createHttpServer } from './http/server.js';
import { JobQueue } from './jobs/job-queue.js';
import { Retention } from './jobs/retention.js';
import { systemTime } from './jobs/time.js';
import { makeDataFolder } from './folders.js';
import { IdleRelease } from './inference/idle-release.js';
import { openLog } from './log.js';
import { Metrics } from './metrics/metrics.js';
import { localName } from './model-names.js';
import { placesOf } from './places.js';
import { Readiness } from './readiness.js';
import type { Speaker } from './speech/speech.js';
import { DirectoryLock } from './store/directory-lock.js';
import type { StoredJob } from './store/job.js';
import { openSqliteStore, type SqliteStore } from './store/sqlite/open.js';
import { openStudio, type Studio } from './studio.js';
import { removeOldPreparations } from './voices/prepare/prepared-folder.js';

export interface RunningServer {
  /** `http://host:port`, with the port that was taken. */
  url: string;
  /** The key that the first start made; told once. */
  firstKey: string | undefined;
  /** What `close` gives the requests and jobs under way. */
  drainSeconds: number;
  /** Takes no more requests, gives those and the jobs under way `drainSeconds`, and closes every room. */
  close(): Promise<void>;
}

/** An attempt at a job may take so long: an hour of audio on a slow core. Then it counts as a failure. */
const ATTEMPT_MILLISECONDS = 15 * 60_000;
/** Between two notes of when keys were last used. */
const NOTE_USE_MILLISECONDS = 60_000;
const IDLE_LOOK_MILLISECONDS = 60_000;

/** Builds the rooms bottom-up, warms up, and listens. Throws a LantangError that says what is missing. */
export async function startServer(overrides: Overrides = {}): Promise<RunningServer> {
  const settings = readSettings(overrides);
  const log = openLog(settings.logLevel);
  for (const variable of unknownVariables()) log.warn({ variable }, 'no such setting; is it misspelt?');
  const closing: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    return { ...(await build(settings, log, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  settings: Settings,
  log: Logger,
  closing: (() => Promise<void> | void)[],
): Promise<Omit<RunningServer, 'close'>> {
  const places = placesOf(settings);
  makeDataFolder(settings.dataDir);
  const lock = new DirectoryLock(settings.dataDir);
  closing.push(() => lock.release());
  const studio = await openStudio(settings, log);
  closing.push(() => studio.close());
  studio.encoders.keepSpares();
  studio.encoders.watchCapabilities(() => logAbilities(studio.encoders, log));
  await warmUp(studio, settings);
  closing.push(readyTheOthers(studio, log));
  closing.push(tuneWhenIdle(studio, log));
  closing.push(releaseWhenIdle(studio));
  await removeOldPreparations(places.preparedVoices);
  const store = openSqliteStore({ file: places.database });
  closing.push(() => store.close());
  const artifacts = await FileArtifactStore.open(places.audio);
  const accounts = new Accounts(store.accounts);
  const { madeKey } = accounts.prepare(settings.apiKey);
  closing.push(noteUse(accounts, log));
  const metrics = new Metrics();
  metrics.watch({ ...studio, lanes: studio.synthesizer });
  const speaker = metrics.speech.measured(studio.speaker);
  const jobs = openJobs(settings, { store, artifacts, speaker, log }, (job) => metrics.jobs.settled(job));
  metrics.jobs.watch(() => jobs.backlog());
  await jobs.start();
  const stopJobs = () => jobs.stop({ milliseconds: settings.drainSeconds * 1000 });
  closing.push(stopJobs);
  closing.push(keepForSomeTime(settings, { store, artifacts, log }));
  const app = createApp({
    ...{ jobs, accounts, artifacts, settings, log },
    catalogue: modelsOf(studio),
    abilities: studio.encoders,
    ...{ speaker, metrics, requests: metrics.requests },
    health: new Readiness(studio, store.jobs, settings),
    signingKeys: loadSigningKeys(places.signingKeys),
  });
  const server = createHttpServer(app, settings);
  const url = await listen(server, settings);
  // Together: submits are refused from now on, and the jobs under way are what open requests may be waiting for.
  closing.splice(closing.indexOf(stopJobs), 1);
  closing.push(async () => void (await Promise.all([stopListening(server, settings), stopJobs()])));
  log.info({ url, voices: studio.catalogue.voices().map(({ name }) => name) }, 'listening');
  return { url, firstKey: madeKey, drainSeconds: settings.drainSeconds };
}

/** A text may come every now and then: memory is given back after minutes in which none did. */
function releaseWhenIdle({ synthesizer }: Studio): () => void {
  const release = new IdleRelease({
    stats: () => synthesizer.stats(),
    release: () => synthesizer.release(),
    repeat: (look) => {
      const timer = setInterval(look, IDLE_LOOK_MILLISECONDS).unref();
      return () => clearInterval(timer);
    },
  });
  return () => release.close();
}

/** The default voice must speak before anybody is let in. */
async function warmUp(studio: Studio, settings: Settings): Promise<void> {
  const local = localName(settings.defaultVoice, settings);
  await studio.warm(studio.catalogue.resolve(local).voice);
  await rehearse(studio, local);
}

/** Says a sentence to nobody: the first use of the text front end alone costs 100 ms, which no caller shall wait. */
async function rehearse({ speaker }: Studio, model: string): Promise<void> {
  const { bytes, result } = speaker.speak(
    {
      input: { kind: 'text', content: 'Dr. Lee owes me $3.50, since 5 May 2024, at 14:30; fair enough?' },
      ...{ model, pitch: 0, tempo: 1, seed: 0 },
      ...{ format: 'wav', sampleRate: 48000 },
    },
    { priority: 'interactive', user: '', streaming: false },
  );
  for await (const piece of bytes) void piece;
  await result;
}

/** What can be made all the same is served. */
function logAbilities(encoders: EncoderProcess, log: Logger): void {
  const shortcomings = encoders.shortcomings();
  if (shortcomings !== undefined) log.warn(shortcomings);
  else log.info({ ffmpeg: encoders.capabilities().version }, 'every audio format can be made');
}

interface JobRooms {
  store: SqliteStore;
  artifacts: FileArtifactStore;
  speaker: Speaker;
  log: Logger;
}

function openJobs(
  settings: Settings,
  { store, artifacts, speaker, log }: JobRooms,
  onSettled: (job: StoredJob) => void,
): JobQueue {
  return new JobQueue(
    {
      ...{ store: store.jobs, artifacts, speaker, log, onSettled },
      localModel: (model) => localName(model, settings),
    },
    { inFlight: settings.jobsInFlight, attemptMilliseconds: ATTEMPT_MILLISECONDS },
  );
}

function keepForSomeTime(settings: Settings, rooms: Omit<JobRooms, 'speaker'>): () => void {
  const retention = new Retention(
    { ...rooms, store: rooms.store.jobs, time: systemTime },
    { days: settings.retentionDays, archivedDays: settings.archivedRetentionDays },
  );
  retention.start();
  return () => retention.stop();
}

function noteUse(accounts: Accounts, log: Logger): () => void {
  const note = () => {
    try {
      accounts.noteUse();
    } catch (error) {
      log.warn({ err: error }, 'when keys were last used could not be written down');
    }
  };
  const timer = setInterval(note, NOTE_USE_MILLISECONDS).unref();
  return () => {
    clearInterval(timer);
    note();
  };
}

function modelsOf({ catalogue }: Studio) {
  return { models: () => catalogue.models(), find: (name: string) => catalogue.find(name)?.model };
}

async function listen(server: Server, { host, port }: Settings): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new LantangError('address_unavailable', `Cannot listen on ${host}:${port} (${error.code}).`, {
      cause: error,
    });
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

/** Idle connections end at once, the others get the time to be answered. */
async function stopListening(server: Server, { drainSeconds }: Settings): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainSeconds * 1000);
  await closed;
  clearTimeout(timer);
}
