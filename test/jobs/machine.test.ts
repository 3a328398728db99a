import { expect } from 'chai';
import {
  MOST_CRASHES,
  MOST_FAULTS,
  retryDelay,
  step,
  TRANSITIONS,
  type JobEvent,
} from '../../src/jobs/machine.js';
import { isSettled, type JobChange, type JobStatus, type StoredJob } from '../../src/store/job.js';
import { CONFIG, newJob, resultOf } from '../store/new-job.js';
import { openForTest } from '../store/sqlite/open-for-test.js';

const NOON = Date.UTC(2024, 4, 1, 12);
const FAULT = { code: 'inference_failed', message: 'No.', retryable: true };

const CREATED: StoredJob = {
  id: '018f3d5e-0000-7000-8000-000000000000',
  user: 'ana',
  status: 'created',
  createdAt: NOON,
  modifiedAt: NOON,
  request: { text: 'x' },
  config: CONFIG,
  characters: 1,
  attempt: 0,
  faults: 0,
  crashes: 0,
};
const RUNNING: StoredJob = { ...CREATED, status: 'in_progress', attempt: 3 };

describe('The job machine', () => {
  it('claims what is ready, under the next attempt', () => {
    expect(step(CREATED, { kind: 'claim' }, NOON)).to.deep.equal({ status: 'in_progress', attempt: 1 });
    expect(step({ ...CREATED, status: 'queued' }, { kind: 'claim' }, NOON)?.status).to.equal('in_progress');
  });

  it('claims nothing that is postponed, running or settled', () => {
    const postponed = { ...CREATED, status: 'queued' as const, notBefore: NOON };
    for (const job of [postponed, RUNNING, { ...RUNNING, status: 'complete' as const }])
      expect(step(job, { kind: 'claim' }, NOON)).to.be.undefined;
  });

  it('hears only whoever holds the newest attempt', () => {
    const result = resultOf(RUNNING);
    for (const attempt of [2, 4])
      expect(step(RUNNING, { kind: 'complete', attempt, result }, NOON)).to.be.undefined;
    expect(step(RUNNING, { kind: 'complete', attempt: 3, result }, NOON)).to.deep.equal({
      status: 'complete',
      result,
    });
  });

  it('puts a job back after a fault, longer each time, and fails it at the last', () => {
    const fault = (faults: number): JobChange | undefined =>
      step({ ...RUNNING, faults }, { kind: 'fault', attempt: 3, fault: FAULT }, NOON);
    expect(fault(0)).to.deep.equal({ status: 'queued', faults: 1, notBefore: NOON + 1000 });
    expect(fault(1)).to.deep.equal({ status: 'queued', faults: 2, notBefore: NOON + 4000 });
    expect(fault(2)).to.deep.equal({ status: 'failed', faults: 3, fault: FAULT });
    expect([1, 2, 3].map(retryDelay)).to.deep.equal([1000, 4000, 16_000]);
  });

  it('puts a job back at once after a crash, and gives it up after many', () => {
    const crash = (crashes: number): JobChange | undefined =>
      step({ ...RUNNING, crashes }, { kind: 'crash' }, NOON);
    expect(crash(0)).to.deep.equal({ status: 'queued', crashes: 1 });
    expect(crash(MOST_CRASHES - 1)).to.include({ status: 'failed', crashes: MOST_CRASHES });
    expect(step(CREATED, { kind: 'crash' }, NOON)).to.be.undefined;
  });

  it('costs a job nothing to be postponed or put back', () => {
    expect(step(RUNNING, { kind: 'postpone', attempt: 3, until: NOON + 5 }, NOON)).to.deep.equal({
      status: 'queued',
      notBefore: NOON + 5,
    });
    expect(step(RUNNING, { kind: 'put_back', attempt: 3 }, NOON)).to.deep.equal({ status: 'queued' });
  });

  it('archives settled jobs as they are, cancels waiting ones, and lets running ones be', () => {
    const archive = (status: JobStatus, rest = {}): JobChange | undefined =>
      step({ ...CREATED, status, ...rest }, { kind: 'archive' }, NOON);
    for (const status of ['complete', 'failed', 'cancelled'] as const)
      expect(archive(status)).to.deep.equal({ status, archivedAt: NOON });
    for (const status of ['created', 'queued'] as const)
      expect(archive(status)).to.include({ status: 'cancelled', archivedAt: NOON, notBefore: null });
    expect(archive('in_progress')).to.be.undefined;
    expect(archive('complete', { archivedAt: 1 })).to.be.undefined;
  });

  it('keeps its promises under any events in any order, and the store keeps them with it', async () => {
    const store = openForTest();
    store.clock.now = NOON;
    const random = numbers(20240501);
    for (let round = 0; round < 40; round += 1) {
      const { job } = await store.jobs.submit(newJob('x'));
      let model = job;
      for (let event = 0; event < 30; event += 1) {
        store.clock.now += random(2000);
        const happens = anyEvent(model, random, store.clock.now);
        const change = step(model, happens, store.clock.now);
        const stored = await store.jobs.change(job.id, (seen) => step(seen, happens, store.clock.now));
        expect(stored === undefined, happens.kind).to.equal(change === undefined);
        if (change) check(model, change, happens);
        model = change ? applied(model, change, store.clock.now) : model;
        expect(store.jobs.find(job.id)).to.deep.equal(model);
      }
    }
    const { used, reserved } = store.accounts.user('ana').quota;
    const pages = { sortBy: 'time', ascending: true, page: 1, perPage: 100 } as const;
    const open = (await store.jobs.list('ana', {}, pages)).jobs.filter(({ status }) => !isSettled(status));
    expect(reserved).to.equal(open.length);
    expect(used).to.be.within(1, 40);
    await store.close();
  }).timeout(20_000);
});

/** What must hold of every step. */
function check(job: StoredJob, change: JobChange, event: JobEvent): void {
  if (change.status !== job.status) expect(TRANSITIONS[job.status]).to.include(change.status);
  if (isSettled(job.status)) expect(change).to.have.all.keys('status', 'archivedAt');
  if (change.status === 'complete' && !isSettled(job.status)) expect(change.result).not.to.be.undefined;
  if (change.status === 'failed' && !isSettled(job.status)) expect(change.fault).not.to.be.undefined;
  if (change.attempt !== undefined)
    expect([event.kind, change.attempt]).to.deep.equal(['claim', job.attempt + 1]);
  expect(change.faults ?? 0).to.be.at.most(MOST_FAULTS);
  expect(change.crashes ?? 0).to.be.at.most(MOST_CRASHES);
}

function applied(job: StoredJob, change: JobChange, now: number): StoredJob {
  const { notBefore, ...rest } = { ...job, ...change, modifiedAt: Math.max(now, job.modifiedAt) };
  return notBefore === null || notBefore === undefined ? rest : { ...rest, notBefore };
}

function anyEvent(job: StoredJob, random: (below: number) => number, now: number): JobEvent {
  const attempt = Math.max(0, job.attempt - Number(random(5) === 0));
  const events: JobEvent[] = [
    { kind: 'claim' },
    { kind: 'claim' },
    { kind: 'crash' },
    { kind: 'put_back', attempt },
    { kind: 'postpone', attempt, until: now + random(1000) },
    { kind: 'fault', attempt, fault: FAULT },
    ...(random(4) === 0
      ? ([
          { kind: 'archive' },
          { kind: 'fail', attempt, fault: FAULT },
          { kind: 'complete', attempt, result: resultOf(job) },
        ] satisfies JobEvent[])
      : []),
  ];
  return events[random(events.length)]!;
}

/** Reproducible whole numbers below a bound. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
