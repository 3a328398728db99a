import Database from 'better-sqlite3';
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { checkSqlite } from '../../src/store/sqlite/maintenance.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { temporaryFolder } from '../temporary-folder.js';

const PROGRAM = fileURLToPath(new URL('crashing-process.js', import.meta.url));
const ROUNDS = 50;
/** Killed after so many lines at most: from the first words of the start to the middle of the work. */
const MOST_LINES = 40;

describe('A process that is killed, again and again', () => {
  const folder = temporaryFolder();
  after(() => folder.clean());

  it(`loses no accepted job and shows no half file, ${ROUNDS} times`, async () => {
    const accepted: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      accepted.push(...(await killedAfter(folder.path, (round * 17) % MOST_LINES)));
      expectWholeFiles(folder.path);
    }
    expect(accepted.length).to.be.above(ROUNDS);
    await drained(folder.path);

    expect(checkSqlite(join(folder.path, 'store.db'))).to.deep.equal([]);
    expectAllComplete(folder.path, accepted);
    expectWholeFiles(folder.path);
    expectNoOrphans(folder.path);
  }).timeout(180_000);
});

/** Runs the process until it has written so many lines, kills it, and gives the ids that it had accepted. */
async function killedAfter(directory: string, lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [PROGRAM, directory, 'submit'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const seen: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => {
    seen.push(line);
    if (seen.length > lines) child.kill('SIGKILL');
  });
  const [[, signal]] = (await Promise.all([once(child, 'exit'), once(reader, 'close')])) as [
    [number, string],
    unknown,
  ];
  expect(signal, 'it must have been running when it was killed').to.equal('SIGKILL');
  return seen.filter((line) => line !== 'ready');
}

async function drained(directory: string): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, directory, 'drain'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).to.deep.equal([0, null]);
}

function expectAllComplete(directory: string, accepted: string[]): void {
  const store = openSqliteStore({ file: join(directory, 'store.db') });
  for (const id of accepted) {
    const job = store.jobs.find(id);
    expect(job, id).to.include({ status: 'complete', faults: 0 });
    const audio = readFileSync(join(directory, 'audio', id.slice(-2), job!.result!.artifact), 'utf8');
    expect(audio).to.equal(job!.request.text!.repeat(2));
  }
  const { used, reserved } = store.accounts.user('ana').quota;
  void store.close();
  const database = new Database(join(directory, 'store.db'), { readonly: true });
  const [complete, characters] = database
    .prepare("SELECT count(*), sum(characters) FROM jobs WHERE status = 'complete'")
    .raw()
    .get() as [number, number];
  database.close();
  expect(complete).to.be.at.least(accepted.length);
  expect({ used, reserved }, 'each job is paid for once').to.deep.equal({ used: characters, reserved: 0 });
}

/** Every file under a final name is what its name says. */
function expectWholeFiles(directory: string): void {
  for (const { name, path } of artifacts(directory)) {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(name.split('.')[1], name).to.equal(hash.slice(0, 16));
  }
}

function expectNoOrphans(directory: string): void {
  const store = openSqliteStore({ file: join(directory, 'store.db') });
  for (const { name } of artifacts(directory)) {
    expect(store.jobs.find(name.split('.')[0]!)?.result?.artifact).to.equal(name);
  }
  void store.close();
}

function artifacts(directory: string): { name: string; path: string }[] {
  const audio = join(directory, 'audio');
  return readdirSync(audio, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('unfinished'))
    .map(({ name, parentPath }) => ({ name, path: join(parentPath, name) }));
}
