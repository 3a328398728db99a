import { expect } from 'chai';
import { join } from 'node:path';
import { Connection } from '../../../src/store/sqlite/connection.js';
import { SqliteAccountStore } from '../../../src/store/sqlite/sqlite-account-store.js';
import { SqliteJobStore } from '../../../src/store/sqlite/sqlite-job-store.js';
import type { JobFilter, JobPage } from '../../../src/store/job.js';
import { newJob } from '../new-job.js';
import { temporaryFolder, type TemporaryFolder } from '../../temporary-folder.js';

const DAY = 86_400_000;
const BLOCK = 4096;
/** Two full blocks and some jobs more. */
const JOBS = 2 * BLOCK + 300;

describe('Phrases of one and two characters', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  let connection: Connection;
  let jobs: SqliteJobStore;
  let stored: { id: string; user: string; text: string; label: string; day: number }[];
  let now = 100 * DAY;

  /** Texts with common and rare pairs, letters of two code units, and case that folds. */
  const textOf = (index: number): string =>
    ['Ab', index % 3 === 0 ? 'QZ' : 'qx', index % 1000 === 7 ? '👋é' : 'e', String(index % 97)].join(' ');

  before(async () => {
    folder = temporaryFolder();
    connection = new Connection({ file: join(folder.path, 'store.db') });
    const accounts = new SqliteAccountStore(connection, () => now);
    for (const user of ['ana', 'budi']) accounts.addUser(user);
    jobs = new SqliteJobStore(connection, () => now);
    stored = [];
    for (let day = 0; day < 3; day += 1) {
      now = (100 + day) * DAY;
      const some = Array.from({ length: Math.ceil(JOBS / 3) }, (_, index) => day * 3000 + index);
      const answers = await Promise.all(
        some.map((index) =>
          jobs.submit(
            newJob(textOf(index), { user: index % 5 === 0 ? 'budi' : 'ana', label: `label ${index % 11}` }),
          ),
        ),
      );
      for (const { job } of answers)
        stored.push({ id: job.id, user: job.user, text: job.request.text!, label: job.request.label!, day });
    }
  });
  after(async () => {
    await jobs.close();
    connection.close();
    folder.clean();
  });

  const blocks = (): number =>
    connection.get<{ blocks: number }>('SELECT blocks FROM postings_progress')!.blocks;
  const matching = (user: string, text: string, days: [number, number] = [0, 2]) =>
    stored.filter(
      (job) =>
        job.user === user &&
        job.day >= days[0] &&
        job.day <= days[1] &&
        job.text.toLowerCase().includes(text.toLowerCase()),
    );
  const PHRASES = ['a', 'QZ', 'qx', 'z', '👋', '👋é', 'É', ' e', '7', '96', 'ü', 'zq'];

  async function agree(): Promise<void> {
    for (const user of ['ana', 'budi'])
      for (const text of PHRASES) {
        expect(await jobs.count(user, { text }), `${user} ${text}`).to.equal(matching(user, text).length);
        const filter: JobFilter = { text, from: 101 * DAY, until: 102 * DAY };
        expect(await jobs.count(user, filter), `${user} ${text}, a day`).to.equal(
          matching(user, text, [1, 1]).length,
        );
      }
  }

  async function pagesAgree(text: string, pages: number[]): Promise<void> {
    const expected = matching('ana', text);
    for (const sortBy of ['time', 'label'] as const)
      for (const ascending of [true, false])
        for (const number of pages) {
          const page: JobPage = { sortBy, ascending, page: number, perPage: 7 };
          const { jobs: found, length } = await jobs.list('ana', { text }, page);
          const sorted = [...expected].sort((a, b) =>
            sortBy === 'label' && a.label !== b.label ? (a.label < b.label ? -1 : 1) : a.id < b.id ? -1 : 1,
          );
          if (!ascending) sorted.reverse();
          const ids = sorted.slice((number - 1) * 7, number * 7).map(({ id }) => id);
          expect(
            found.map(({ id }) => id),
            `${text} by ${sortBy}, page ${number}`,
          ).to.deep.equal(ids);
          expect(length).to.equal(expected.length);
        }
  }

  it('are found while the lists are made', async () => {
    const packing = jobs.pack();
    await agree();
    await packing;
  });

  it('are found in the lists of full blocks and the texts after them', async () => {
    await jobs.pack();
    expect(blocks()).to.equal(2);
    await agree();
  });

  it('give every page of each order', async () => {
    await pagesAgree('qz', [1, 2, 150, 313, 314]);
    await pagesAgree('👋', [1, 2]);
    await pagesAgree('a', [1, 900]);
  });

  it('do not find what was archived, wherever it is', async () => {
    for (const at of [0, 3, 4095, 4096, 8000, JOBS - 1]) {
      await jobs.change(stored[at]!.id, () => ({ status: 'cancelled', archivedAt: now }));
      stored[at]!.user = 'nobody';
    }
    await agree();
    await pagesAgree('qz', [1, 150, 313]);
  });

  it('take no more room when the jobs of their blocks are removed', async () => {
    const rows = (): number =>
      connection.get<{ rows: number }>('SELECT count(*) AS rows FROM postings')!.rows;
    const before = rows();
    const gone = stored.slice(0, BLOCK + 10).map(({ id }) => id);
    await Promise.all(gone.map((id) => jobs.change(id, () => ({ status: 'cancelled', archivedAt: now }))));
    await jobs.remove(gone);
    stored.splice(0, gone.length);
    expect(rows())
      .to.be.below(before * 0.7)
      .and.above(0);
    await agree();
  });
});
