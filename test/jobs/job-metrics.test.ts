import { expect } from 'chai';
import { LantangError } from '../../src/errors.js';
import { NOON, Workshop } from './workshop.js';

describe('What the job queue tells for metrics', () => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open();
  });
  afterEach(() => workshop.close());

  it('is every job that ends, once, and how', async () => {
    workshop.speaker.inject = (text) => {
      if (text === 'bad') throw new LantangError('nothing_to_speak', 'There is nothing to speak.');
    };
    const early = await workshop.submit('early');
    await workshop.queue.archive('ana', early.id);
    const jobs = await Promise.all([workshop.submit('good'), workshop.submit('bad')]);
    await workshop.queue.start();
    for (const job of jobs) await workshop.settled(job);
    for (const job of jobs) await workshop.queue.archive('ana', job.id);
    expect(workshop.ended.sort()).to.deep.equal(['bad failed', 'early cancelled', 'good complete']);
  });

  it('is how many wait, and since when the oldest does', async () => {
    expect(workshop.queue.backlog()).to.deep.equal({ ready: 0, postponed: 0, inProgress: 0 });
    await workshop.submit('one');
    workshop.time.advance(5000);
    await workshop.submit('two');
    expect(workshop.queue.backlog()).to.deep.equal({
      ...{ ready: 2, postponed: 0, inProgress: 0 },
      oldestReadyAt: NOON,
    });
  });
});
