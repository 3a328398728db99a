import { expect } from 'chai';
import { Retention } from '../../src/jobs/retention.js';
import { codeOf } from '../code-of.js';
import { turns, until, Workshop } from './workshop.js';

const DAY = 86_400_000;

describe('Retention', () => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open();
    await workshop.queue.start();
  });
  afterEach(() => workshop.close());

  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const retention = (days: number, archivedDays: number): Retention =>
    new Retention(
      { store: workshop.store, artifacts: workshop.artifacts, time: workshop.time, log },
      { days, archivedDays },
    );

  it('deletes rows and audio of old and of archived jobs, and nothing else', async () => {
    const old = await workshop.settled(await workshop.submit('old'));
    const archived = await workshop.settled(await workshop.submit('archived'));
    await workshop.queue.archive('ana', archived.id);
    workshop.time.advance(2 * DAY);
    const young = await workshop.settled(await workshop.submit('young'));

    expect(await retention(0, 0).purge()).to.equal(0);
    expect(await retention(0, 1).purge()).to.equal(1);
    expect([old, archived, young].map(({ id }) => workshop.store.find(id)?.id)).to.deep.equal([
      old.id,
      undefined,
      young.id,
    ]);
    expect(await codeOf(workshop.artifacts.read(archived.result!.artifact))).to.equal('artifact_not_found');

    expect(await retention(1, 1).purge()).to.equal(1);
    expect(await workshop.queue.count('ana', {})).to.equal(1);
    expect(await workshop.artifacts.read(young.result!.artifact)).to.have.length(10);
  });

  it('goes on every hour until it is stopped', async () => {
    const hourly = retention(1, 0);
    const { id } = await workshop.settled(await workshop.submit('x'));
    hourly.start();
    for (let hour = 0; hour < 25; hour += 1) {
      await turns();
      expect(workshop.store.find(id)?.id).to.equal(id);
      workshop.time.advance(3600_000);
    }
    await until(() => workshop.store.find(id) === undefined);
    hourly.stop();
  });

  it('deletes more than fit in one transaction', async () => {
    const jobs = await Promise.all(Array.from({ length: 250 }, (_, index) => workshop.submit(`${index}`)));
    for (const job of jobs) await workshop.queue.archive('ana', job.id).catch(() => workshop.settled(job));
    workshop.time.advance(2 * DAY);
    expect(await retention(1, 1).purge()).to.equal(250);
  }).timeout(10_000);
});
