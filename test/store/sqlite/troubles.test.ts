import Database from 'better-sqlite3';
import { expect } from 'chai';
import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLantangError } from '../../../src/errors.js';
import { Connection } from '../../../src/store/sqlite/connection.js';
import { backupSqlite, checkSqlite } from '../../../src/store/sqlite/maintenance.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { SqliteAccountStore } from '../../../src/store/sqlite/sqlite-account-store.js';
import { SqliteJobStore } from '../../../src/store/sqlite/sqlite-job-store.js';
import { codeOf } from '../../code-of.js';
import { newJob } from '../new-job.js';
import { temporaryFolder, type TemporaryFolder } from '../../temporary-folder.js';

describe('The SQLite store in trouble', () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'store.db');
  });
  afterEach(() => folder.clean());

  /** A store, and the connection under it, to hurt. */
  function fragile(): { connection: Connection; jobs: SqliteJobStore; close: () => void } {
    const connection = new Connection({ file, busyMilliseconds: 1 });
    new SqliteAccountStore(connection, Date.now).addUser('ana');
    const jobs = new SqliteJobStore(connection, Date.now);
    return { connection, jobs, close: () => (void jobs.close(), connection.close()) };
  }

  /** One that has `text` as its only job, and no room for the second. */
  async function full(): Promise<ReturnType<typeof fragile>> {
    const store = fragile();
    await store.jobs.submit(newJob('kept'));
    store.connection.pragma(`max_page_count = ${store.connection.pragma('page_count') as number}`);
    return store;
  }

  const big = newJob('x'.repeat(50_000));

  it('refuses all submits of a turn when the disk is full, and keeps what it had', async () => {
    const { jobs, connection, close } = await full();
    const refused = await Promise.allSettled([jobs.submit(newJob('small')), jobs.submit(big)]);
    for (const outcome of refused) {
      const error: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
      expect(isLantangError(error, 'job_queue_unavailable')).to.be.true;
      expect(error).to.deep.include({ retryable: true, context: { reason: 'full' } });
    }
    const page = { sortBy: 'time', ascending: true, page: 1, perPage: 10 } as const;
    expect((await jobs.list('ana', {}, page)).jobs.map(({ request }) => request.text)).to.deep.equal([
      'kept',
    ]);
    connection.pragma('max_page_count = 100000');
    await jobs.submit(big);
    expect(await jobs.count('ana', {})).to.equal(2);
    close();
  });

  it('works again by itself when a disk is no longer read-only', async () => {
    const { jobs, connection, close } = fragile();
    connection.pragma('query_only = ON');
    expect(await codeOf(jobs.submit(newJob('one')))).to.equal('job_queue_unavailable');
    await jobs.probe();
    await jobs.submit(newJob('two'));
    expect(await jobs.count('ana', {})).to.equal(1);
    close();
  });

  it('refuses, and soon works again, while another process writes', async () => {
    const { jobs, close } = fragile();
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    expect(await codeOf(jobs.submit(newJob('one')))).to.equal('job_queue_unavailable');
    other.exec('COMMIT');
    other.close();
    await jobs.submit(newJob('one'));
    close();
  });

  it('says so when a search can’t open the file, and searches again when it can', async () => {
    const { jobs, close } = fragile();
    await jobs.submit(newJob('one'));
    renameSync(file, `${file}.away`);
    expect(await codeOf(jobs.count('ana', { text: 'o' }))).to.equal('job_queue_unavailable');
    renameSync(`${file}.away`, file);
    expect(await jobs.count('ana', { text: 'o' })).to.equal(1);
    close();
  });

  it('says so when the file is damaged under it, and works again when it is whole', async () => {
    const { jobs, connection, close } = fragile();
    const ids: string[] = [];
    for (let index = 0; index < 200; index += 1)
      ids.push((await jobs.submit(newJob(`${index} `.repeat(500)))).job.id);
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.pragma('shrink_memory');
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 'x')]), {
      flag: 'r+',
    });
    expect(() => jobs.find(ids[0]!))
      .to.throw('is damaged')
      .with.property('code', 'job_queue_unavailable');
    expect(await codeOf(jobs.submit(newJob('lost')))).to.equal('job_queue_unavailable');
    writeFileSync(file, whole, { flag: 'r+' });
    await jobs.probe();
    for (const id of ids) expect(jobs.find(id)?.status).to.equal('created');
    expect(await jobs.count('ana', {})).to.equal(200);
    close();
  });

  it('says at the start that the file is damaged, and leaves it alone', () => {
    writeFileSync(file, 'no database, but long enough to look like one: '.repeat(200));
    expect(() => openSqliteStore({ file }))
      .to.throw('is damaged')
      .with.property('code', 'store_corrupt');
    expect(readFileSync(file, 'utf8')).to.match(/^no database/);
  });

  it('says at the start that a newer program wrote the file', () => {
    void openSqliteStore({ file }).close();
    const database = new Database(file);
    database.pragma('user_version = 999');
    database.close();
    expect(() => openSqliteStore({ file }))
      .to.throw('newer')
      .with.property('code', 'store_too_new');
  });

  it('says at the start that the file cannot be opened', () => {
    writeFileSync(file, '');
    for (const impossible of [join(file, 'store.db'), join(folder.path, 'no', 'folder', 'store.db')]) {
      expect(() => openSqliteStore({ file: impossible }))
        .to.throw('cannot be opened')
        .with.property('code', 'store_unavailable');
    }
  });

  describe('maintenance', () => {
    it('finds nothing wrong with a sound database, and damage in a damaged one', async () => {
      const store = fragile();
      for (let index = 0; index < 50; index += 1) await store.jobs.submit(newJob('text '.repeat(500)));
      store.close();
      expect(checkSqlite(file)).to.deep.equal([]);
      truncateSync(file, 40 * 4096);
      expect(checkSqlite(file)).not.to.deep.equal([]);
    });

    it('backs up while the store is written, whole', async () => {
      const { jobs, close } = fragile();
      for (let index = 0; index < 50; index += 1) await jobs.submit(newJob(`searchable ${index}`));
      const writing = Promise.all(
        Array.from({ length: 100 }, (_, index) => jobs.submit(newJob(`late ${index}`))),
      );
      const copy = join(folder.path, 'copy.db');
      await backupSqlite(file, copy);
      await writing;
      close();
      expect(checkSqlite(copy)).to.deep.equal([]);
      const restored = openSqliteStore({ file: copy });
      expect(await restored.jobs.count('ana', {})).to.be.at.least(50);
      expect(await restored.jobs.count('ana', { text: 'searchable' })).to.equal(50);
      await restored.close();
    });

    it('overwrites no file with a backup', async () => {
      fragile().close();
      const copy = join(folder.path, 'copy.db');
      writeFileSync(copy, 'mine');
      expect(await codeOf(backupSqlite(file, copy))).to.equal('backup_exists');
      expect(readFileSync(copy, 'utf8')).to.equal('mine');
    });
  });
});
