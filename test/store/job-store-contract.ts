import { expect } from 'chai';
import type { AccountStore } from '../../src/store/account-store.js';
import type { JobChange, JobFilter, JobPage, StoredJob } from '../../src/store/job.js';
import type { JobStore } from '../../src/store/job-store.js';
import { claimed, completed, newJob, resultOf } from './new-job.js';
import { codeOf } from '../code-of.js';

/** A store under test: with the users `ana` and `budi`, and a clock that the test sets. */
export interface StoreUnderTest {
  jobs: JobStore;
  accounts: AccountStore;
  clock: { now: number };
  /** Closes the store and opens it again. */
  reopen(): StoreUnderTest;
  close(): Promise<void>;
}

const DAY = 86_400_000;
const NOON = Date.UTC(2024, 4, 1, 12);
const PAGE: JobPage = { sortBy: 'time', ascending: true, page: 1, perPage: 10 };

/** What every JobStore must do. */
export function jobStoreContract(open: () => StoreUnderTest): void {
  let store: StoreUnderTest;
  let jobs: JobStore;
  const submit = async (text: string, rest?: Parameters<typeof newJob>[1]): Promise<StoredJob> =>
    (await jobs.submit(newJob(text, rest))).job;
  const texts = async (
    filter: JobFilter = {},
    page: Partial<JobPage> = {},
    user = 'ana',
  ): Promise<(string | undefined)[]> =>
    (await jobs.list(user, filter, { ...PAGE, ...page })).jobs.map((job) => job.request.text);

  beforeEach(() => {
    store = open();
    store.clock.now = NOON;
    jobs = store.jobs;
  });
  afterEach(() => store.close());

  describe('accepting', () => {
    it('keeps every field, also when it is opened again', async () => {
      const job = await submit('Selamat pagi 👋', { label: 'greeting' });
      expect(job).to.include({ user: 'ana', status: 'created', attempt: 0, characters: 14 });
      expect(job.createdAt).to.equal(NOON);
      expect(job.request).to.deep.equal({ text: 'Selamat pagi 👋', label: 'greeting' });
      store = store.reopen();
      expect(store.jobs.find(job.id)).to.deep.equal(job);
    });

    it('keeps SSML and as_data apart from text', async () => {
      const request = { ssml: '<speak>Hi</speak>', asData: false };
      expect((await submit('', { request })).request).to.deep.equal(request);
    });

    it('makes UUIDv7s that rise, whatever the clock does, also when it is opened again', async () => {
      const first = await submit('one');
      store.clock.now = NOON - 3600_000;
      const second = await submit('two');
      store = store.reopen();
      store.clock.now = NOON - DAY;
      const { job: third } = await store.jobs.submit(newJob('three'));
      expect([first.id, second.id, third.id]).to.deep.equal([first.id, second.id, third.id].sort());
      expect(new Set([first.id, second.id, third.id]).size).to.equal(3);
      for (const { id, createdAt } of [first, second, third]) {
        expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(createdAt).to.be.at.least(NOON);
      }
    });

    it('refuses a user that is not there, and nobody else in the same turn', async () => {
      const outcomes = await Promise.allSettled([
        submit('one'),
        submit('two', { user: 'nobody' }),
        submit('three'),
      ]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
      expect(await texts()).to.deep.equal(['one', 'three']);
    });

    it('finds nothing under what is no id', () => {
      for (const id of [
        '',
        'x',
        '../../etc/passwd',
        '018f3d5e-0000-7000-8000-000000000000',
        `'; DROP TABLE jobs`,
      ])
        expect(jobs.find(id), id).to.be.undefined;
    });
  });

  describe('idempotency keys', () => {
    const idempotencyKey = 'k-1';

    it('give the same job for the same request, as it stands', async () => {
      const first = await submit('once', { idempotencyKey });
      await jobs.claim({ id: first.id }, claimed);
      const again = await jobs.submit(newJob('once', { idempotencyKey }));
      expect(again.replayed).to.be.true;
      expect(again.job).to.include({ id: first.id, status: 'in_progress' });
      expect(await jobs.count('ana', {})).to.equal(1);
    });

    it('conflict with another request', async () => {
      await submit('once', { idempotencyKey });
      expect(await codeOf(submit('other', { idempotencyKey }))).to.equal('idempotency_conflict');
      expect(await texts()).to.deep.equal(['once']);
    });

    it('are one user’s own, and end after 24 hours', async () => {
      const first = await submit('once', { idempotencyKey });
      expect((await submit('other', { idempotencyKey, user: 'budi' })).id).not.to.equal(first.id);
      store.clock.now += DAY - 1;
      expect((await submit('once', { idempotencyKey })).id).to.equal(first.id);
      store.clock.now += 1;
      expect((await submit('other', { idempotencyKey })).id).not.to.equal(first.id);
    });

    it('two of which in one turn make one job', async () => {
      const [a, b] = await Promise.all([submit('x', { idempotencyKey }), submit('x', { idempotencyKey })]);
      expect(a.id).to.equal(b.id);
    });
  });

  describe('changing', () => {
    it('claims the oldest ready job of a user, each once', async () => {
      const [one, two] = [await submit('one'), await submit('two')];
      await submit('not hers', { user: 'budi' });
      const claims = await Promise.all([1, 2, 3].map(() => jobs.claim({ user: 'ana' }, claimed)));
      expect(claims.map((job) => job?.id)).to.deep.equal([one.id, two.id, undefined]);
      expect(claims[0]).to.include({ status: 'in_progress', attempt: 1 });
      expect(jobs.inProgress().map(({ id }) => id)).to.deep.equal([one.id, two.id]);
    });

    it('claims a named job only when it is ready', async () => {
      await submit('one');
      const two = await submit('two');
      expect((await jobs.claim({ id: two.id }, claimed))?.id).to.equal(two.id);
      expect(await jobs.claim({ id: two.id }, claimed)).to.be.undefined;
    });

    it('shows the decision the job as it stands, so of two events at once one wins', async () => {
      const { id } = await submit('one');
      const cancel = (job: StoredJob): JobChange | undefined =>
        job.status === 'created' ? { status: 'cancelled', archivedAt: NOON } : undefined;
      const [cancelledJob, claimedJob] = await Promise.all([
        jobs.change(id, cancel),
        jobs.claim({ id }, claimed),
      ]);
      expect(cancelledJob?.status).to.equal('cancelled');
      expect(claimedJob).to.be.undefined;
    });

    it('keeps result, fault and times', async () => {
      const { id } = await submit('one');
      await jobs.claim({ id }, claimed);
      store.clock.now += 5000;
      const done = await jobs.change(id, completed);
      expect(done).to.deep.equal(jobs.find(id));
      expect(done?.result).to.deep.equal(resultOf(done!));
      expect(done?.modifiedAt).to.equal(NOON + 5000);
      const fault = { code: 'inference_failed', message: 'No.', retryable: true, retryAfterSeconds: 3 };
      const failed = await jobs.change((await submit('two')).id, () => ({
        status: 'failed',
        faults: 3,
        fault,
      }));
      expect(failed).to.deep.include({ fault, faults: 3 });
    });

    it('never lets modifiedAt run back', async () => {
      const { id } = await submit('one');
      store.clock.now = NOON - DAY;
      expect((await jobs.claim({ id }, claimed))?.modifiedAt).to.equal(NOON);
    });

    it('undoes a decision that throws, and nothing else of its turn', async () => {
      const { id } = await submit('one');
      const [thrown, other] = await Promise.allSettled([
        jobs.change(id, () => {
          throw new Error('undecided');
        }),
        submit('two'),
      ]);
      expect([thrown.status, other.status]).to.deep.equal(['rejected', 'fulfilled']);
      expect(jobs.find(id)?.status).to.equal('created');
    });
  });

  describe('postponing', () => {
    it('leaves the next job as the oldest that is ready', async () => {
      expect(jobs.oldestReadyAt()).to.equal(undefined);
      const one = await submit('one');
      const two = await submit('two');
      expect(jobs.oldestReadyAt()).to.equal(one.createdAt);
      await jobs.claim({ id: one.id }, claimed);
      expect(jobs.oldestReadyAt()).to.equal(two.createdAt);
      await jobs.claim({ id: two.id }, claimed);
      expect(jobs.oldestReadyAt()).to.equal(undefined);
      await jobs.change(one.id, () => ({ status: 'queued', notBefore: NOON + 1000 }));
      expect(jobs.oldestReadyAt()).to.equal(undefined);
      await jobs.wake(NOON + 1000, NOON + DAY);
      expect(jobs.oldestReadyAt()).to.equal(one.createdAt);
    });

    it('hides jobs from claims until they are due, and gives them back in order of age', async () => {
      const one = await submit('one');
      await jobs.claim({ id: one.id }, claimed);
      await jobs.change(one.id, () => ({ status: 'queued', notBefore: NOON + 1000 }));
      await submit('two');
      expect(jobs.nextDue()).to.equal(NOON + 1000);
      expect(jobs.tally()).to.deep.equal({ ready: 1, postponed: 1, inProgress: 0 });
      expect(await jobs.wake(NOON + 999, NOON + DAY)).to.equal(0);
      expect(await jobs.wake(NOON + 1000, NOON + DAY)).to.equal(1);
      expect((await jobs.claim({ user: 'ana' }, claimed))?.id).to.equal(one.id);
      expect(jobs.nextDue()).to.be.undefined;
    });

    it('takes a due time beyond the horizon for one of before the clock jumped back', async () => {
      await submit('one');
      await jobs.postpone({ user: 'ana' }, NOON + DAY);
      expect(await jobs.wake(NOON, NOON + DAY)).to.equal(0);
      expect(await jobs.wake(NOON, NOON + DAY - 1)).to.equal(1);
    });

    it('postpones all ready jobs of a user, or of a model', async () => {
      const running = await submit('running');
      await jobs.claim({ id: running.id }, claimed);
      await submit('one');
      await submit('two', { config: { ...newJob('').config, model: 'joe' } });
      await submit('three', { user: 'budi' });
      expect(jobs.readyUsers()).to.have.members(['ana', 'budi']);
      expect(await jobs.postpone({ model: 'joe' }, NOON + 1000)).to.equal(1);
      expect(await jobs.postpone({ user: 'ana' }, NOON + 1000)).to.equal(1);
      expect(jobs.readyUsers()).to.deep.equal(['budi']);
      expect(jobs.find(running.id)?.status).to.equal('in_progress');
      expect(await jobs.wake(NOON + 1000, NOON + DAY)).to.equal(2);
    });
  });

  describe('quotas', () => {
    const quota = (): object => store.accounts.user('ana').quota;
    const settle = async (id: string, change: (job: StoredJob) => JobChange): Promise<void> => {
      await jobs.claim({ id }, claimed);
      await jobs.change(id, change);
    };

    it('reserve at submit, spend when complete, give back when failed or cancelled', async () => {
      store.accounts.setQuota('ana', 20);
      const done = await submit('12345');
      const failed = await submit('123456');
      const cancelled = await submit('1234567');
      expect(quota()).to.deep.equal({ limit: 20, used: 0, reserved: 18 });
      await settle(done.id, completed);
      await settle(failed.id, () => ({ status: 'failed' }));
      await jobs.change(cancelled.id, () => ({ status: 'cancelled', archivedAt: NOON }));
      expect(quota()).to.deep.equal({ limit: 20, used: 5, reserved: 0 });
    });

    it('move nothing when a settled job is archived', async () => {
      const { id } = await submit('12345');
      await settle(id, completed);
      await jobs.change(id, (job) => ({ status: job.status, archivedAt: NOON }));
      expect(quota()).to.deep.equal({ used: 5, reserved: 0 });
    });

    it('refuse what is too much, and everything when nothing is left', async () => {
      store.accounts.setQuota('ana', 10);
      await submit('1234567');
      const refused = await submit('1234').catch((error: unknown) => error);
      expect(refused).to.deep.include({ code: 'quota_insufficient', context: { current: 3, required: 4 } });
      await submit('123');
      expect(await codeOf(submit('1'))).to.equal('quota_empty');
      expect(await texts()).to.deep.equal(['1234567', '123']);
    });

    it('are not overdrawn by submits of one turn', async () => {
      store.accounts.setQuota('ana', 10);
      const outcomes = await Promise.allSettled(['1234', '1234', '1234'].map((text) => submit(text)));
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'rejected']);
    });

    it('are shown to whoever claims', async () => {
      store.accounts.setQuota('ana', 10);
      await submit('123');
      await jobs.claim({ user: 'ana' }, (_, seen) => {
        expect(seen).to.deep.equal({ limit: 10, used: 0, reserved: 3 });
        return undefined;
      });
    });
  });

  describe('listing', () => {
    const archive = (id: string): Promise<unknown> =>
      jobs.change(id, (job) => ({ status: job.status, archivedAt: store.clock.now }));

    it('gives pages of each order, the ends alike, ties by id', async () => {
      const labels = ['b', 'a', undefined, 'b', 'a'];
      for (const [index, label] of labels.entries()) {
        await submit(`${'tsrqp'[index]!}`, label === undefined ? {} : { label });
      }
      const all = async (page: Partial<JobPage>): Promise<string> => {
        const pages = [1, 2, 3].map((number) => texts({}, { ...page, page: number, perPage: 2 }));
        return (await Promise.all(pages)).flat().join('');
      };
      expect(await all({ sortBy: 'time' })).to.equal('tsrqp');
      expect(await all({ sortBy: 'time', ascending: false })).to.equal('pqrst');
      expect(await all({ sortBy: 'text' })).to.equal('pqrst');
      expect(await all({ sortBy: 'text', ascending: false })).to.equal('tsrqp');
      expect(await all({ sortBy: 'label' })).to.equal('rsptq');
      expect(await all({ sortBy: 'label', ascending: false })).to.equal('qtpsr');
      expect(await texts({}, { page: 4, perPage: 2 })).to.deep.equal([]);
      expect((await jobs.list('ana', {}, { ...PAGE, page: 9 })).length).to.equal(5);
    });

    it('leaves the times of words to the job itself', async () => {
      const { id } = await submit('one');
      await jobs.claim({ id }, claimed);
      await jobs.change(id, completed);
      const [listed] = (await jobs.list('ana', {}, PAGE)).jobs;
      expect(listed?.result).to.deep.include({ duration: 1.5, sentences: [], words: [], marks: [] });
    });

    it('never shows archived jobs or those of others', async () => {
      const gone = await submit('gone');
      await submit('stays');
      await submit('other', { user: 'budi' });
      await archive(gone.id);
      expect(await texts()).to.deep.equal(['stays']);
      expect(await jobs.count('ana', {})).to.equal(1);
      expect(await jobs.count('ana', { text: 'gone' })).to.equal(0);
      expect(await jobs.count('ana', { text: 'other' })).to.equal(0);
    });

    it('filters by day, from inclusive and until exclusive, also off midnight', async () => {
      const midnight = Date.UTC(2024, 4, 2);
      for (const [offset, text] of [
        [-DAY, 'a'],
        [-1, 'b'],
        [0, 'c'],
        [DAY - 1, 'd'],
        [DAY, 'e'],
      ] as const) {
        store.clock.now = midnight + offset;
        await submit(text);
      }
      const day = { from: midnight, until: midnight + DAY };
      expect(await texts(day)).to.deep.equal(['c', 'd']);
      expect(await jobs.count('ana', day)).to.equal(2);
      expect(await texts({ until: midnight })).to.deep.equal(['a', 'b']);
      expect(await texts({ from: midnight + 1 })).to.deep.equal(['d', 'e']);
      expect(await jobs.count('ana', { from: midnight + 1, until: midnight + DAY })).to.equal(1);
      expect(await texts(day, { sortBy: 'text', ascending: false })).to.deep.equal(['d', 'c']);
      expect(await texts({ ...day, text: 'c' })).to.deep.equal(['c']);
    });

    it('sorts the few of a day among many', async () => {
      await Promise.all(Array.from({ length: 60 }, (_, index) => submit(`old ${index}`)));
      store.clock.now += DAY;
      for (const text of ['b', 'c', 'a']) await submit(text);
      const from = Date.UTC(2024, 4, 2);
      expect(await texts({ from }, { sortBy: 'text' })).to.deep.equal(['a', 'b', 'c']);
      expect((await jobs.list('ana', { from }, PAGE)).length).to.equal(3);
    });
  });

  describe('searching', () => {
    const count = (text: string, user = 'ana'): Promise<number> => jobs.count(user, { text });

    it('finds a phrase of any length anywhere, in any case', async () => {
      await submit('The quick brown Fox');
      for (const text of ['the quick', 'FOX', 'x', 'ow', 'k b', 'The quick brown Fox']) {
        expect(await count(text), text).to.equal(1);
        expect(await texts({ text }), text).to.have.length(1);
      }
      for (const text of ['foxy', 'quick fox', 'z', 'zz', '  ']) expect(await count(text), text).to.equal(0);
    });

    it('takes %, _, ", *, -, AND and NUL for ordinary characters', async () => {
      await submit('100 % of a_b "quoted" x*y co-op AND \0 more');
      await submit('100 percent of aXb quoted xzy coop and more');
      for (const text of [
        '%',
        '_',
        '"',
        '0 %',
        'a_b',
        '"quoted"',
        'x*y',
        'co-op',
        'and \0',
        '\0 more',
        '"',
        '""q',
      ])
        expect(await count(text), text).to.equal(text === '""q' ? 0 : 1);
      expect(await count('quoted')).to.equal(2);
    });

    it('folds letters of other scripts, and composes them', async () => {
      await submit('Ünïcödé ΟΔΥΣΣΕΥΣ Привет 東京タワー');
      for (const text of ['ünïcödé', 'U\u0308nï', 'οδυσσευς', 'ΔΥΣ', 'привет', 'ПРИ', '東京', '京', 'タワー'])
        expect(await count(text), text).to.equal(1);
      expect(await count('unicode')).to.equal(0);
    });

    it('is one user’s own', async () => {
      await submit('shared words', { user: 'budi' });
      expect(await count('shared words')).to.equal(0);
      expect(await count('shared words', 'budi')).to.equal(1);
    });

    it('compares phrases longer than the index looks at', async () => {
      const long = 'lorem ipsum dolor sit amet '.repeat(6);
      await submit(`${long}one`);
      await submit(`${long}two`);
      expect(await count(`${long}one`)).to.equal(1);
      expect(await texts({ text: `${long}TWO` }, { sortBy: 'label' })).to.deep.equal([`${long}two`]);
    });

    it('pages through matches in each order', async () => {
      const words = ['delta', 'alpha', 'charlie', 'bravo', 'echo'];
      for (const word of words) await submit(`${word} match`, { label: word });
      await submit('nothing of the kind');
      const all = async (page: Partial<JobPage>, text: string): Promise<string> => {
        const pages = [1, 2, 3].map((number) => texts({ text }, { ...page, page: number, perPage: 2 }));
        return (await Promise.all(pages))
          .flat()
          .map((t) => t![0])
          .join('');
      };
      for (const text of ['match', 'ma']) {
        expect(await all({ sortBy: 'time' }, text)).to.equal('dacbe');
        expect(await all({ sortBy: 'time', ascending: false }, text)).to.equal('ebcad');
        expect(await all({ sortBy: 'text' }, text)).to.equal('abcde');
        expect(await all({ sortBy: 'label', ascending: false }, text)).to.equal('edcba');
        expect((await jobs.list('ana', { text }, PAGE)).length).to.equal(5);
      }
    });

    it('finds jobs of before and after it was opened again, and loses archived ones', async () => {
      const old = await submit('findable one');
      expect(await count('findable')).to.equal(1);
      store = store.reopen();
      jobs = store.jobs;
      await submit('findable two');
      expect(await count('findable')).to.equal(2);
      await jobs.change(old.id, (job) => ({ status: job.status, archivedAt: NOON }));
      expect(await texts({ text: 'findable' })).to.deep.equal(['findable two']);
    });

    it('agrees with looking at every text', async () => {
      const alphabet = 'aAbBçÇ _%';
      const random = randomText(alphabet, 7);
      const stored = Array.from({ length: 300 }, () => random(12));
      await Promise.all(stored.map((text) => submit(text)));
      for (let round = 0; round < 100; round += 1) {
        const text = random(5) || 'a';
        const expected = stored.filter((each) => each.toLowerCase().includes(text.toLowerCase())).length;
        expect(await count(text), JSON.stringify(text)).to.equal(expected);
      }
    });
  });

  describe('removing', () => {
    it('tells and removes what is archived or old, and settled', async () => {
      const waiting = await submit('waiting');
      const done = await submit('done');
      await jobs.claim({ id: done.id }, claimed);
      await jobs.change(done.id, completed);
      const archivedJob = await submit('archived');
      store.clock.now += DAY;
      await jobs.change(archivedJob.id, () => ({ status: 'cancelled', archivedAt: store.clock.now }));
      const later = store.clock.now + 1;

      expect(jobs.purgeable({ limit: 10 })).to.deep.equal([]);
      expect(jobs.purgeable({ limit: 10, archivedBefore: later })).to.deep.equal([{ id: archivedJob.id }]);
      const artifact = resultOf(done).artifact;
      expect(jobs.purgeable({ limit: 10, createdBefore: later })).to.deep.equal([
        { id: done.id, artifact },
        { id: archivedJob.id },
      ]);
      expect(jobs.purgeable({ limit: 1, createdBefore: later })).to.have.length(1);

      await jobs.remove([waiting.id, done.id, archivedJob.id]);
      expect([done.id, archivedJob.id, waiting.id].map((id) => jobs.find(id)?.id)).to.deep.equal([
        undefined,
        undefined,
        waiting.id,
      ]);
      expect(await texts()).to.deep.equal(['waiting']);
      expect(await jobs.count('ana', { text: 'done' })).to.equal(0);
      expect(await jobs.count('ana', {})).to.equal(1);
    });
  });

  it('can be probed', () => jobs.probe());
}

/** Reproducible texts over an alphabet, of up to so many characters. */
function randomText(alphabet: string, seed: number): (most: number) => string {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return (most) => Array.from({ length: next(most + 1) }, () => alphabet[next(alphabet.length)]).join('');
}
