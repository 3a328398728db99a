import { expect } from 'chai';
import { readdir } from 'node:fs/promises';
import { LantangError } from '../../src/errors.js';
import type { JobStore } from '../../src/store/job-store.js';
import { codeOf } from '../code-of.js';
import { CONFIG } from '../store/new-job.js';
import { Gate } from './fault-injecting-speaker.js';
import { LONG, NOON, turns, until, Workshop } from './workshop.js';

const failing = (code: string, details = {}): LantangError =>
  new LantangError(code, `Told: ${code}.`, details);
const WAITING = { config: { ...CONFIG, wait: true } };

describe('The job queue', () => {
  let workshop: Workshop;
  beforeEach(async () => (workshop = await Workshop.open()));
  afterEach(() => workshop.close());

  const statusOf = (id: string): string | undefined => workshop.store.find(id)?.status;
  const start = (): Promise<void> => workshop.queue.start();

  describe('running', () => {
    beforeEach(start);

    it('speaks a job into an artifact, and then says complete', async () => {
      const job = await workshop.submit('Good day.');
      expect(job.status).to.equal('created');
      const done = await workshop.settled(job);
      expect(done).to.include({ status: 'complete', attempt: 1 });
      expect(done.result).to.deep.include({ duration: 1, size: 18, latency: 0, channels: 1 });
      expect((await workshop.artifacts.read(done.result!.artifact)).toString()).to.equal(
        'Good day.Good day.',
      );
      expect(workshop.queue.get('ana', job.id)).to.deep.equal(done);
      expect(workshop.queue.times(job.id)).to.include({ text: 0.1, encode: 0.5 });
      expect(workshop.speaker.begun).to.deep.equal([
        { text: 'Good day.', model: 'local-nadia', priority: 'batch', user: 'ana' },
      ]);
    });

    it('fails bad input at once, with the sentence that tells what is wrong', async () => {
      workshop.speaker.inject = () => Promise.reject(failing('ssml_invalid', { context: { line: 3 } }));
      const done = await workshop.settled(await workshop.submit('x'));
      expect(done).to.deep.include({ status: 'failed', attempt: 1 });
      expect(done.fault).to.deep.equal({
        code: 'ssml_invalid',
        message: 'Told: ssml_invalid.',
        retryable: false,
      });
    });

    it('tries again after engine faults, later and later, and gives up at the third', async () => {
      workshop.speaker.inject = () => Promise.reject(failing('device_lost'));
      const { id } = await workshop.submit('x');
      for (const [attempt, delay] of [
        [1, 1000],
        [2, 4000],
      ] as const) {
        await until(() => statusOf(id) === 'queued');
        expect(workshop.store.find(id)).to.include({ attempt, notBefore: workshop.time.now() + delay });
        workshop.time.advance(delay - 1);
        await turns();
        expect(workshop.speaker.begun).to.have.length(attempt);
        workshop.time.advance(1);
        await until(() => workshop.speaker.begun.length === attempt + 1);
      }
      const done = await workshop.queue.settled(id, LONG);
      expect(done).to.deep.include({ status: 'failed', attempt: 3, faults: 3 });
      expect(done.fault?.code).to.equal('device_lost');
      expect(done.fault?.message).not.to.include('Told');
    });

    it('completes at a later attempt, and leaves nothing of the earlier', async () => {
      workshop.speaker.inject = () =>
        workshop.speaker.begun.length < 2 ? Promise.reject(new Error('segfault at 0x0')) : undefined;
      const { id } = await workshop.submit('x');
      await until(() => statusOf(id) === 'queued');
      workshop.time.advance(1000);
      const done = await workshop.queue.settled(id, LONG);
      expect(done).to.deep.include({ status: 'complete', attempt: 2, faults: 1 });
      expect(await readdir(workshop.audioFolder)).to.have.members(['unfinished', id.slice(-2)]);
      expect(await readdir(`${workshop.audioFolder}/unfinished`)).to.deep.equal([]);
    });

    it('tells callers nothing of an error without a code', async () => {
      workshop.speaker.inject = () => Promise.reject(new Error('/root/secret: segfault'));
      const { id } = await workshop.submit('x');
      for (const delay of [1000, 4000]) {
        await until(() => statusOf(id) === 'queued');
        workshop.time.advance(delay);
        await until(() => statusOf(id) !== 'queued');
      }
      const { fault } = await workshop.queue.settled(id, LONG);
      expect(fault).to.include({ code: 'inference_failed', retryable: true });
      expect(fault?.message).not.to.match(/secret|segfault/);
    });

    it('takes an attempt that hears nothing and never ends for a fault', async () => {
      workshop.speaker.inject = () => new Gate().pass();
      const { id } = await workshop.submit('x');
      await until(() => workshop.speaker.begun.length === 1);
      workshop.time.advance(600_000);
      await until(() => statusOf(id) === 'queued');
      expect(workshop.store.find(id)).to.include({ faults: 1 });
    });

    it('postpones the jobs of a missing voice, at no cost to them, until it is back', async () => {
      workshop.speaker.inject = (_, { user }) => {
        if (user === 'ana') throw failing('voice_not_found');
      };
      const jobs = await Promise.all(['a', 'b', 'c'].map((text) => workshop.submit(text)));
      await until(() => jobs.every(({ id }) => workshop.store.find(id)?.notBefore !== undefined));
      workshop.speaker.inject = () => undefined;
      workshop.time.advance(30_000);
      for (const job of jobs)
        expect(await workshop.settled(job)).to.include({ status: 'complete', faults: 0 });
    });

    it('gives a missing voice up after a day', async () => {
      workshop.speaker.inject = () => Promise.reject(failing('voice_not_found'));
      const { id } = await workshop.submit('a');
      await until(() => statusOf(id) === 'queued');
      workshop.time.advance(24 * 3600_000);
      expect((await workshop.queue.settled(id, LONG)).fault?.code).to.equal('voice_not_found');
    });

    it('waits for room on the disk, at no cost to the job, and begins no others meanwhile', async () => {
      let full = true;
      workshop.speaker.inject = () => {
        if (full) throw failing('storage_full', { retryable: true });
      };
      const job = await workshop.submit('a');
      await until(() => statusOf(job.id) === 'queued');
      const other = await workshop.submit('b');
      await turns();
      expect(statusOf(other.id)).to.equal('created');
      full = false;
      workshop.time.advance(10_000);
      expect((await workshop.settled(other)).status).to.equal('complete');
      workshop.time.advance(20_000);
      expect(await workshop.settled(job)).to.include({ status: 'complete', faults: 0 });
    });

    it('lets the jobs of a user wait whose quota was lowered, and goes on when it is raised', async () => {
      const gate = new Gate();
      workshop.speaker.inject = () => gate.pass();
      await Promise.all(Array.from({ length: 4 }, (_, index) => workshop.submit(`first ${index}`)));
      const job = await workshop.submit('12345');
      workshop.accounts.setQuota('ana', 3);
      gate.open();
      await until(() => workshop.store.find(job.id)?.notBefore !== undefined);
      expect(statusOf(job.id)).to.equal('queued');
      expect((await workshop.settled(await workshop.submit('hers', { user: 'budi' }))).status).to.equal(
        'complete',
      );
      workshop.accounts.setQuota('ana', 1000);
      workshop.time.advance(60_000);
      expect((await workshop.settled(job)).status).to.equal('complete');
    });

    it('does not wait for ever when the clock jumps back', async () => {
      workshop.speaker.inject = () =>
        workshop.speaker.begun.length < 2 ? Promise.reject(failing('device_lost')) : undefined;
      const { id } = await workshop.submit('x');
      await until(() => statusOf(id) === 'queued');
      workshop.time.jump(-7 * 24 * 3600_000);
      workshop.time.advance(60_000);
      expect((await workshop.queue.settled(id, LONG)).status).to.equal('complete');
    });
  });

  describe('waiting', () => {
    beforeEach(start);

    it('is answered the moment the job settles, and goes first', async () => {
      const gate = new Gate();
      workshop.speaker.inject = (_, { signal }) => gate.pass(signal);
      const job = await workshop.submit('x', WAITING);
      const answer = workshop.settled(job);
      gate.open();
      expect((await answer).status).to.equal('complete');
      expect(workshop.speaker.begun[0]?.priority).to.equal('interactive');
    });

    it('gets the job as it stands when the time is over, and the job goes on', async () => {
      const gate = new Gate();
      workshop.speaker.inject = () => gate.pass();
      const { id } = await workshop.submit('x', WAITING);
      await until(() => workshop.speaker.begun.length === 1);
      const answer = workshop.queue.settled(id, 15_000);
      workshop.time.advance(15_000);
      expect((await answer).status).to.equal('in_progress');
      gate.open();
      expect((await workshop.queue.settled(id, LONG)).status).to.equal('complete');
    });

    it('ends with its caller, who leaves nothing behind', async () => {
      const gate = new Gate();
      workshop.speaker.inject = () => gate.pass();
      const { id } = await workshop.submit('x', WAITING);
      await until(() => workshop.speaker.begun.length === 1);
      const alarms = workshop.time.alarms;
      const caller = new AbortController();
      const answer = workshop.queue.settled(id, 15_000, caller.signal);
      expect(workshop.time.alarms).to.equal(alarms + 1);
      caller.abort();
      expect((await answer).status).to.equal('in_progress');
      expect(workshop.time.alarms).to.equal(alarms);
      expect((await workshop.queue.settled(id, 15_000, caller.signal)).status).to.equal('in_progress');
      gate.open();
    });

    it('answers at once for a settled job, and refuses an unknown one', async () => {
      const done = await workshop.settled(await workshop.submit('x'));
      expect(await workshop.queue.settled(done.id, 0)).to.deep.equal(done);
      expect(await codeOf(workshop.queue.settled('no id', 0))).to.equal('job_not_found');
    });
  });

  describe('archiving', () => {
    it('cancels what has not begun, and gives the quota back', async () => {
      const { id } = await workshop.submit('12345');
      const archived = await workshop.queue.archive('ana', id);
      expect(archived).to.deep.include({ status: 'cancelled', archivedAt: NOON });
      expect(archived.fault?.message).to.include('cancelled');
      expect(workshop.accounts.user('ana').quota).to.deep.equal({ used: 0, reserved: 0 });
      await start();
      await turns();
      expect(workshop.speaker.begun).to.deep.equal([]);
    });

    it('cancels a postponed job, which then never begins', async () => {
      workshop.speaker.inject = () => Promise.reject(failing('device_lost'));
      await start();
      const { id } = await workshop.submit('x');
      await until(() => statusOf(id) === 'queued');
      expect((await workshop.queue.archive('ana', id)).status).to.equal('cancelled');
      workshop.time.advance(60_000);
      await turns();
      expect(workshop.speaker.begun).to.have.length(1);
      expect(workshop.store.nextDue()).to.be.undefined;
    });

    it('tells a caller who waits that the job was cancelled', async () => {
      const job = await workshop.submit('x', WAITING);
      const answer = workshop.settled(job);
      await workshop.queue.archive('ana', job.id);
      expect((await answer).status).to.equal('cancelled');
    });

    it('refuses a job in progress, and hides a settled one with all it has', async () => {
      await start();
      const gate = new Gate();
      workshop.speaker.inject = () => gate.pass();
      const job = await workshop.submit('x');
      await until(() => statusOf(job.id) === 'in_progress');
      expect(await codeOf(workshop.queue.archive('ana', job.id))).to.equal('job_cancellation_failure');
      gate.open();
      const done = await workshop.settled(job);
      const archived = await workshop.queue.archive('ana', job.id);
      expect(archived).to.deep.equal({ ...done, archivedAt: NOON });
      expect(await workshop.artifacts.read(done.result!.artifact)).to.have.length(2);
    });

    it('finds no job that is unknown, archived, or another’s', async () => {
      const { id } = await workshop.submit('x');
      expect(await codeOf(workshop.queue.archive('budi', id))).to.equal('job_not_found');
      await workshop.queue.archive('ana', id);
      expect(await codeOf(workshop.queue.archive('ana', id))).to.equal('job_not_found');
      expect(await codeOf(workshop.queue.archive('ana', 'nonsense'))).to.equal('job_not_found');
      expect(() => workshop.queue.get('ana', id))
        .to.throw()
        .with.property('code', 'job_not_found');
    });

    it('of a job that is claimed in the same turn: one of the two wins', async () => {
      await start();
      for (let round = 0; round < 30; round += 1) {
        const before = workshop.speaker.begun.length;
        const job = await workshop.submit(`round ${round}`);
        await turns(round % 3);
        const refused = await codeOf(workshop.queue.archive('ana', job.id));
        const done = await workshop.settled(job);
        const wasBegun = workshop.speaker.begun.length > before;
        expect(done.status === 'cancelled').to.equal(!wasBegun);
        expect(refused === undefined || refused === 'job_cancellation_failure').to.be.true;
      }
    });
  });

  describe('fairness', () => {
    const HERS = { user: 'budi' };

    it('begins the single job of one user beside the ten thousand of another', async () => {
      const gate = new Gate();
      workshop.speaker.inject = (_, { user }) => (user === 'ana' ? gate.pass() : undefined);
      await Promise.all(Array.from({ length: 10_000 }, (_, index) => workshop.submit(`${index}`)));
      await start();
      await until(() => workshop.speaker.begun.length > 0);
      const single = await workshop.submit('single', HERS);
      expect((await workshop.settled(single)).status).to.equal('complete');
      expect(workshop.store.tally()).to.deep.equal({ ready: 9996, postponed: 0, inProgress: 4 });
      gate.open();
    }).timeout(60_000);

    it('takes waiting callers first, then age', async () => {
      const gate = new Gate();
      workshop.speaker.inject = () => gate.pass();
      await Promise.all(Array.from({ length: 20 }, (_, index) => workshop.submit(`${index}`)));
      await start();
      await until(() => workshop.speaker.begun.length === 4);
      const waiting = await workshop.submit('waiting', WAITING);
      gate.open();
      await workshop.settled(waiting);
      await until(() => workshop.speaker.begun.length === 21);
      expect(workshop.speaker.texts.slice(0, 5)).to.deep.equal(['0', '1', '2', '3', 'waiting']);
      expect(workshop.speaker.texts.slice(5)).to.deep.equal(Array.from({ length: 16 }, (_, i) => `${i + 4}`));
    });

    it('alternates between users', async () => {
      await workshop.reopen({ inFlight: 1 });
      const jobs = [];
      for (const text of ['a1', 'a2', 'a3']) jobs.push(await workshop.submit(text));
      for (const text of ['b1', 'b2', 'b3']) jobs.push(await workshop.submit(text, HERS));
      await start();
      for (const job of jobs) await workshop.settled(job);
      const users = workshop.speaker.begun.map(({ user }) => user);
      for (let index = 0; index < users.length; index += 2)
        expect(users[index]).not.to.equal(users[index + 1]);
    });
  });

  describe('ending and beginning', () => {
    it('lets jobs in flight end, accepts none, and begins none', async () => {
      await start();
      const gate = new Gate();
      workshop.speaker.inject = () => gate.pass();
      const jobs = await Promise.all(Array.from({ length: 6 }, (_, index) => workshop.submit(`${index}`)));
      await until(() => workshop.speaker.begun.length === 4);
      const stopped = workshop.queue.stop({ milliseconds: 20_000 });
      expect(await codeOf(workshop.submit('late'))).to.equal('service_draining');
      gate.open();
      await stopped;
      expect(jobs.map(({ id }) => statusOf(id))).to.deep.equal([
        ...Array.from({ length: 4 }, () => 'complete'),
        'created',
        'created',
      ]);
    });

    it('puts back what does not end in time, and speaks it after the next start', async () => {
      await start();
      workshop.speaker.inject = (_, { signal }) => new Gate().pass(signal);
      const job = await workshop.submit('x');
      await until(() => statusOf(job.id) === 'in_progress');
      const stopped = workshop.queue.stop({ milliseconds: 20_000 });
      workshop.time.advance(20_000);
      await stopped;
      expect(workshop.store.find(job.id)).to.include({ status: 'queued', faults: 0, crashes: 0 });
      workshop.speaker.inject = () => undefined;
      await workshop.reopen();
      await start();
      expect(await workshop.settled(job)).to.include({ status: 'complete', attempt: 2 });
    });

    it('takes up what a process left in the middle, and the rest', async () => {
      const [left, ready] = [await workshop.submit('left'), await workshop.submit('ready')];
      await workshop.store.claim({ id: left.id }, () => ({ status: 'in_progress', attempt: 1 }));
      await workshop.artifacts.write(left.id, 'wav', [Buffer.from('of the attempt before')] as never);
      await workshop.reopen();
      await start();
      const done = await workshop.settled(left);
      expect(done).to.include({ status: 'complete', attempt: 2, crashes: 1 });
      expect(await readdir(`${workshop.audioFolder}/${left.id.slice(-2)}`)).to.deep.equal([
        done.result?.artifact,
      ]);
      expect((await workshop.settled(ready)).status).to.equal('complete');
    });

    it('gives up a job that ends the process each time', async () => {
      const { id } = await workshop.submit('deadly');
      workshop.speaker.inject = (_, { signal }) => new Gate().pass(signal);
      for (let crash = 1; crash <= 20; crash += 1) {
        await workshop.store.claim({ id }, (job) => ({ status: 'in_progress', attempt: job.attempt + 1 }));
        expect(statusOf(id)).to.equal('in_progress');
        await workshop.reopen();
        await start();
        await workshop.queue.stop({ milliseconds: 0 });
        expect(workshop.store.find(id)).to.include({
          crashes: crash,
          status: crash < 20 ? 'queued' : 'failed',
        });
      }
    });
  });

  describe('with a store that fails', () => {
    /** Lets `failures` calls of a verb fail, then all pass. */
    const flaky =
      (verb: 'claim' | 'change', failures: number) =>
      (store: JobStore): JobStore =>
        new Proxy(store, {
          get(target, name: keyof JobStore) {
            const method = (target[name] as (...values: unknown[]) => unknown).bind(target);
            if (name !== verb) return method;
            return (...values: unknown[]) =>
              failures-- > 0 ? Promise.reject(failing('job_queue_unavailable')) : method(...values);
          },
        });

    for (const verb of ['claim', 'change'] as const) {
      it(`goes on by itself when ${verb} works again`, async () => {
        await workshop.reopen({ wrap: flaky(verb, 2) });
        await start();
        const job = await workshop.submit('x');
        for (let failure = 1; failure <= 2; failure += 1) {
          await until(() => workshop.logged.length >= failure);
          await turns();
          workshop.time.advance(1000);
        }
        expect(await workshop.settled(job)).to.include({ status: 'complete', attempt: 1 });
        expect(workshop.speaker.begun).to.have.length(1);
      });
    }
  });
});
