import { join } from 'node:path';
import { FileArtifactStore } from '../../src/artifacts/files/file-artifact-store.js';
import { JobQueue } from '../../src/jobs/job-queue.js';
import type { Job } from '../../src/jobs/job.js';
import type { JobStore } from '../../src/store/job-store.js';
import type { AccountStore } from '../../src/store/account-store.js';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open.js';
import { newJob } from '../store/new-job.js';
import { temporaryFolder } from '../temporary-folder.js';
import { FakeTime } from './fake-time.js';
import { FaultInjectingSpeaker } from './fault-injecting-speaker.js';

export const NOON = Date.UTC(2024, 4, 1, 12);
/** Longer than any test: the fake time does not move by itself. */
export const LONG = 1e9;

/** A queue over a real database and real files, with a speaker that fails at will and a clock that stands. */
export class Workshop {
  readonly time = new FakeTime(NOON);
  readonly speaker = new FaultInjectingSpeaker();
  readonly logged: string[] = [];
  /** What the queue told of as ended, by the job's text and how. */
  readonly ended: string[] = [];
  readonly #folder = temporaryFolder();
  #store!: SqliteStore;
  artifacts!: FileArtifactStore;
  queue!: JobQueue;

  static async open(
    options: { inFlight?: number; wrap?: (store: JobStore) => JobStore } = {},
  ): Promise<Workshop> {
    const workshop = new Workshop();
    await workshop.reopen(options);
    for (const user of ['ana', 'budi']) workshop.accounts.addUser(user);
    return workshop;
  }

  get store(): JobStore {
    return this.#store.jobs;
  }

  get accounts(): AccountStore {
    return this.#store.accounts;
  }

  get audioFolder(): string {
    return join(this.#folder.path, 'audio');
  }

  /** As after the end of the process: everything is opened anew, the queue not yet started. */
  async reopen({ inFlight = 8, wrap = (store: JobStore) => store } = {}): Promise<void> {
    await (this.#store as SqliteStore | undefined)?.close();
    this.#store = openSqliteStore({ file: join(this.#folder.path, 'store.db'), now: this.time.now });
    this.artifacts = await FileArtifactStore.open(this.audioFolder);
    this.queue = new JobQueue(
      {
        store: wrap(this.store),
        artifacts: this.artifacts,
        speaker: this.speaker,
        time: this.time,
        onSettled: ({ request, status }) => this.ended.push(`${request.text} ${status}`),
        localModel: (model) => `local-${model}`,
        log: { info: this.#log, warn: this.#log, error: this.#log },
      },
      { inFlight, attemptMilliseconds: 600_000 },
    );
  }

  submit(text: string, rest: Parameters<typeof newJob>[1] = {}): Promise<Job> {
    return this.queue.submit(newJob(text, rest));
  }

  /** The job when it has settled. */
  settled(job: Job): Promise<Job> {
    return this.queue.settled(job.id, LONG);
  }

  async close(): Promise<void> {
    await this.queue.stop({ milliseconds: 0 }).catch(() => undefined);
    await this.#store.close();
    this.#folder.clean();
  }

  readonly #log = (_: object, message: string): void => void this.logged.push(message);
}

/** Resolves when the condition holds, looking once a turn of the event loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets everything that is under way go as far as it can without time passing. */
export async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
