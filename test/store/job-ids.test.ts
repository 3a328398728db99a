import { expect } from 'chai';
import { idBytes, idText, JobIds, lowestIdAt } from '../../src/store/job-ids.js';

const NOON = Date.UTC(2024, 4, 1, 12);

describe('Job ids', () => {
  it('rise within a millisecond, 100,000 times', () => {
    const ids = new JobIds(() => NOON);
    let last = ids.next().id;
    for (let index = 0; index < 100_000; index += 1) {
      const { id } = ids.next();
      if (!(id > last)) expect.fail(`${id} follows ${last}`);
      last = id;
    }
  });

  it('carry the time of their making, and never an earlier one than the newest', () => {
    let now = NOON;
    const ids = new JobIds(() => now);
    expect(ids.next().createdAt).to.equal(NOON);
    now -= 5000;
    expect(ids.next().createdAt).to.equal(NOON);
    now += 6000;
    const { id, createdAt } = ids.next();
    expect(createdAt).to.equal(NOON + 1000);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).to.equal(createdAt);
  });

  it('go on after the newest id of an earlier process, though the clock is behind it', () => {
    const newest = new JobIds(() => NOON).next().id;
    const { id, createdAt } = new JobIds(() => NOON - 1e9, newest).next();
    expect(id > newest).to.be.true;
    expect(createdAt).to.equal(NOON + 1);
  });

  it('can’t be guessed from the one before', () => {
    const tails = new Set(Array.from({ length: 100 }, () => new JobIds(() => NOON).next().id.slice(14)));
    expect(tails.size).to.equal(100);
  });

  it('turn into bytes and back', () => {
    const { id } = new JobIds(() => NOON).next();
    expect(idText(idBytes(id)!)).to.equal(id);
    expect(idBytes('no id')).to.be.undefined;
  });

  it('lie at or above the lowest of their millisecond, and below the next', () => {
    const bytes = idBytes(new JobIds(() => NOON).next().id)!;
    expect(Buffer.compare(lowestIdAt(NOON), bytes)).to.equal(-1);
    expect(Buffer.compare(bytes, lowestIdAt(NOON + 1))).to.equal(-1);
    expect(lowestIdAt(-1)).to.deep.equal(Buffer.alloc(16));
    expect(lowestIdAt(Infinity).subarray(0, 6)).to.deep.equal(Buffer.alloc(6, 0xff));
  });
});
