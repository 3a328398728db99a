import { expect } from 'chai';
import { join } from 'node:path';
import { checkSqlite } from '../../../src/store/sqlite/maintenance.js';
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/open.js';
import { codeOf } from '../../code-of.js';
import { newJob } from '../new-job.js';
import { NO_SMALL_DISK, smallDisk, type SmallDisk } from '../small-disk.js';

describe('The SQLite store on a small disk', () => {
  let disk: SmallDisk;
  let store: SqliteStore;

  beforeEach(`a disk of four megabytes (else skipped: ${NO_SMALL_DISK})`, function () {
    const mounted = smallDisk(4);
    if (!mounted) return this.skip();
    disk = mounted;
    store = openSqliteStore({ file: join(disk.path, 'store.db') });
    store.accounts.addUser('ana');
  });
  afterEach(async () => {
    await (store as SqliteStore | undefined)?.close();
    (disk as SmallDisk | undefined)?.remove();
  });

  const submit = (): Promise<{ job: { id: string } }> => store.jobs.submit(newJob('text '.repeat(10_000)));

  it('refuses when it is full, keeps every accepted job, and is sound', async () => {
    const accepted: string[] = [];
    let refusal: string | undefined;
    while (refusal === undefined) {
      refusal = await codeOf(submit().then(({ job }) => accepted.push(job.id)));
    }
    expect(refusal).to.equal('job_queue_unavailable');
    expect(await codeOf(store.jobs.probe())).to.satisfy(
      (code: unknown) => code === undefined || code === refusal,
    );
    expect(accepted.length).to.be.above(5);
    for (const id of accepted) expect(store.jobs.find(id)?.status).to.equal('created');
    expect(await store.jobs.count('ana', {})).to.equal(accepted.length);
    await store.close();
    expect(checkSqlite(join(disk.path, 'store.db'))).to.deep.equal([]);
  });

  it('refuses while it is read-only, and works again by itself afterwards', async function () {
    await submit();
    // An open database keeps the disk writable, so the disk can only change while nothing is open.
    await store.close();
    if (!disk.makeReadOnly()) return this.skip();
    expect(() => openSqliteStore({ file: join(disk.path, 'store.db') }))
      .to.throw()
      .with.property('code', 'store_unavailable');
    expect(disk.makeWritable()).to.be.true;
    store = openSqliteStore({ file: join(disk.path, 'store.db') });
    await submit();
    expect(await store.jobs.count('ana', {})).to.equal(2);
  });
});
