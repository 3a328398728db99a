import Database from 'better-sqlite3';
import { expect } from 'chai';
import { claimed, completed, newJob } from '../new-job.js';
import { openForTest } from './open-for-test.js';

describe('The search index', () => {
  let store: ReturnType<typeof openForTest>;
  let other: Database.Database;
  beforeEach(() => {
    store = openForTest();
    other = new Database(store.file, { readonly: true });
  });
  afterEach(() => {
    other.close();
    return store.close();
  });

  const through = (): unknown => other.prepare('SELECT indexed_through FROM search_progress').pluck().get();
  const rows = (): unknown => other.prepare('SELECT count(*) FROM search').pluck().get();
  const submit = (count: number, text: string): Promise<string[]> =>
    Promise.all(
      Array.from(
        { length: count },
        async (_, index) => (await store.jobs.submit(newJob(`${text} ${index}`))).job.id,
      ),
    );

  it('takes in what was submitted, by itself, in steps', async () => {
    await submit(500, 'a text of some length, so that it takes more than one step');
    const seen = new Set<unknown>();
    for (;;) {
      seen.add(through());
      if (through() === 500) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(seen.size).to.be.above(2);
    expect(rows()).to.equal(500);
  });

  it('takes in what is left before a search', async () => {
    await submit(300, 'left over');
    expect(await store.jobs.count('ana', { text: 'left over' })).to.equal(300);
    expect(through()).to.equal(300);
  });

  it('never holds a job that was archived, before or after it was taken in', async () => {
    const archive = (id: string): Promise<unknown> =>
      store.jobs.change(id, () => ({ status: 'cancelled', archivedAt: store.clock.now }));
    const ids = await submit(4, 'text');
    await archive(ids[0]!);
    await archive(ids[3]!);
    expect(await store.jobs.count('ana', { text: 'text' })).to.equal(2);
    await archive(ids[1]!);
    expect(await store.jobs.count('ana', { text: 'text' })).to.equal(1);
    expect(rows()).to.equal(1);
  });

  it('forgets a job that is removed, though it was never archived', async () => {
    const [id] = await submit(2, 'text');
    expect(await store.jobs.count('ana', { text: 'text' })).to.equal(2);
    await store.jobs.claim({ id: id! }, claimed);
    await store.jobs.change(id!, completed);
    await store.jobs.remove([id!]);
    expect(rows()).to.equal(1);
  });

  it('keeps users apart, whatever their number', async () => {
    for (let number = 3; number <= 40; number += 1) {
      store.accounts.addUser(`user-${number}`);
      await store.jobs.submit(newJob('the same text', { user: `user-${number}` }));
    }
    for (let number = 3; number <= 40; number += 1)
      expect(await store.jobs.count(`user-${number}`, { text: 'same' })).to.equal(1);
    expect(await store.jobs.count('ana', { text: 'same' })).to.equal(0);
  });
});
