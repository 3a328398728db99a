import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openForTest } from './open-for-test.js';
import { claimed, newJob } from '../new-job.js';
import type { StoreUnderTest } from '../job-store-contract.js';

describe('Group commit', () => {
  let store: StoreUnderTest & { file: string };
  let other: Database.Database;
  beforeEach(() => {
    store = openForTest();
    other = new Database(store.file, { readonly: true });
  });
  afterEach(() => {
    other.close();
    return store.close();
  });

  const seen = (): number => other.prepare('SELECT count(*) FROM jobs').pluck().get() as number;
  /** It changes whenever another connection commits. */
  const version = (): unknown => other.pragma('data_version', { simple: true });

  it('puts all submits of one turn into one transaction', async () => {
    const before = version();
    const submits = Array.from({ length: 50 }, (_, index) => store.jobs.submit(newJob(`${index}`)));
    expect([seen(), version()]).to.deep.equal([0, before]);
    await submits[0];
    expect(seen()).to.equal(50);
    const after = version();
    await Promise.all(submits);
    expect(version()).to.equal(after).and.not.to.equal(before);
  });

  it('answers after the commit, in order, and lets decisions see what came before in the turn', async () => {
    const order: number[] = [];
    const claims: unknown[] = [];
    await Promise.all([
      store.jobs.submit(newJob('one')).then(() => order.push(seen())),
      store.jobs.claim({ user: 'ana' }, claimed).then((job) => claims.push(job?.request.text)),
      store.jobs.submit(newJob('two')).then(() => order.push(seen())),
    ]);
    expect(order).to.deep.equal([2, 2]);
    expect(claims).to.deep.equal(['one']);
  });

  it('splits what is too much for one transaction, and loses nothing', async () => {
    await Promise.all(Array.from({ length: 1000 }, (_, index) => store.jobs.submit(newJob(`${index}`))));
    const { jobs } = await store.jobs.list(
      'ana',
      {},
      { sortBy: 'time', ascending: true, page: 10, perPage: 100 },
    );
    expect(jobs.map(({ request }) => request.text)).to.deep.equal(
      Array.from({ length: 100 }, (_, index) => `${900 + index}`),
    );
  });

  it('writes what waits when it is closed', async () => {
    const submit = store.jobs.submit(newJob('last'));
    store = { ...store.reopen(), file: store.file };
    expect((await submit).job.request.text).to.equal('last');
    expect(await store.jobs.count('ana', {})).to.equal(1);
  });
});
