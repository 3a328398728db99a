import { join } from 'node:path';
import { FileArtifactStore } from '../../src/artifacts/files/file-artifact-store.js';
import { JobQueue } from '../../src/jobs/job-queue.js';
import { DirectoryLock } from '../../src/store/directory-lock.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { newJob } from '../store/new-job.js';
import { FaultInjectingSpeaker } from './fault-injecting-speaker.js';

/*
 * A process to be killed: runs the jobs of a directory, submits more for as long as it is told to, and writes the id
 * of each accepted one to its standard output. `drain` submits none, and ends when all have settled.
 */
const [directory, mode] = process.argv.slice(2) as [string, 'submit' | 'drain'];
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const lock = new DirectoryLock(directory);
const store = openSqliteStore({ file: join(directory, 'store.db') });
if (!store.accounts.users().some(({ name }) => name === 'ana')) store.accounts.addUser('ana');
const speaker = new FaultInjectingSpeaker();
const queue = new JobQueue(
  {
    store: store.jobs,
    artifacts: await FileArtifactStore.open(join(directory, 'audio')),
    speaker,
    localModel: (model) => model,
    log: quiet,
  },
  { inFlight: 4, attemptMilliseconds: 60_000 },
);
await queue.start();
process.stdout.write('ready\n');
if (mode === 'submit') await submitForEver();
else await drain();

async function submitForEver(): Promise<never> {
  for (let number = 0; ; number += 1) {
    const texts = [0, 1, 2].map((part) => `text ${process.pid}.${number}.${part} `.repeat(50));
    const jobs = await Promise.all(texts.map((text) => queue.submit(newJob(text))));
    process.stdout.write(jobs.map(({ id }) => `${id}\n`).join(''));
    if (number % 5 === 0) await queue.settled(jobs[2]!.id, 10);
  }
}

async function drain(): Promise<void> {
  const unsettled = (): number =>
    Object.values<number>({ ...store.jobs.tally() }).reduce((sum, count) => sum + count, 0);
  while (unsettled() > 0) await new Promise((resolve) => setImmediate(resolve));
  await queue.stop({ milliseconds: 1000 });
  await store.close();
  lock.release();
}
