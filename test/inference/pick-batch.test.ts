import { expect } from 'chai';
import { FairClock } from '../../src/inference/fair-queue.js';
import { pickBatch, TURNS, type BatchLimits, type Waiting } from '../../src/inference/pick-batch.js';
import { randomNumbers } from '../random-numbers.js';

type Entry = Waiting & { user: string };

/** The scheduler's part that matters here: arrivals are stamped, batches are picked until nothing waits. */
class Queue {
  readonly waiting = new Set<Entry>();
  readonly #clock = new FairClock();
  #sequence = 0;
  #turn = 0;

  constructor(private readonly limits: BatchLimits) {}

  arrive(user: string, changes: Partial<Waiting> = {}): Entry {
    const cost = changes.cost ?? 100;
    const entry: Entry = {
      user,
      voice: 'nadia',
      priority: 'batch',
      stamp: this.#clock.stamp(user, cost),
      sequence: this.#sequence++,
      cost,
      alone: false,
      ...changes,
    };
    this.waiting.add(entry);
    return entry;
  }

  serve(): Entry[] {
    const batch = pickBatch(this.waiting, this.limits, this.#turn++);
    for (const entry of batch) this.waiting.delete(entry);
    if (batch[0]) this.#clock.serve(batch[0].stamp);
    return batch;
  }

  /** Batches until the entry is served, that one included. */
  turnsUntil(entry: Entry): number {
    for (let turn = 1; ; turn++) if (this.serve().includes(entry)) return turn;
  }
}

const ONE_ROW: BatchLimits = { rows: 1, paddedCost: Infinity, waste: 0 };
const GPU: BatchLimits = { rows: 16, paddedCost: 3000, waste: 0.3 };

function randomEntry(random: () => number): [string, Partial<Waiting>] {
  const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)]!;
  const changes: Partial<Waiting> = {
    voice: pick('nadia', 'joe', 'dimas'),
    priority: pick('batch', 'interactive'),
    cost: 1 + Math.floor(random() ** 2 * 800),
    alone: random() < 0.1,
  };
  return [pick('ana', 'budi', 'citra', 'dewi'), changes];
}

describe('Picking batches', () => {
  it('picks nothing only when nothing waits', () => {
    expect(pickBatch([], GPU, 0)).to.deep.equal([]);
    const queue = new Queue(GPU);
    queue.arrive('ana', { cost: 1e6 });
    expect(queue.serve()).to.have.length(1);
  });

  it('serves everything once, whatever comes, within the limits (2000 random queues)', () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const random = randomNumbers(seed);
      const limits =
        random() < 0.3
          ? ONE_ROW
          : { rows: 1 + Math.floor(random() * 20), paddedCost: 500 + random() * 4000, waste: random() };
      const queue = new Queue(limits);
      const arrived = new Set<Entry>();
      const served = new Set<Entry>();
      const arrivals = 1 + Math.floor(random() * 60);
      while (arrived.size < arrivals || queue.waiting.size > 0) {
        if (arrived.size < arrivals && random() < 0.6) arrived.add(queue.arrive(...randomEntry(random)));
        else if (queue.waiting.size > 0) {
          const batch = queue.serve();
          requireLegal(batch, limits);
          for (const entry of batch) {
            if (served.has(entry)) expect.fail(`seed ${seed}: an entry is served twice`);
            served.add(entry);
          }
        }
      }
      expect(served.size, `seed ${seed}`).to.equal(arrived.size);
    }
  });

  function requireLegal(batch: Entry[], limits: BatchLimits): void {
    expect(batch).not.to.have.length(0);
    if (batch.length === 1) return;
    const costs = batch.map(({ cost }) => cost);
    const padded = Math.max(...costs) * batch.length;
    expect(batch.length).to.be.at.most(limits.rows);
    expect(padded).to.be.at.most(limits.paddedCost);
    expect(1 - costs.reduce((sum, cost) => sum + cost) / padded).to.be.at.most(limits.waste + 1e-9);
    expect(new Set(batch.map(({ voice }) => voice)).size).to.equal(1);
    expect(batch.some(({ alone }) => alone)).to.equal(false);
  }

  it('gives the same answer for the same queue, in whatever order it is held', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomNumbers(seed);
      const queue = new Queue(GPU);
      for (let i = 0; i < 30; i++) queue.arrive(...randomEntry(random));
      const shuffled = [...queue.waiting].map((entry) => ({ entry, key: random() }));
      shuffled.sort((a, b) => a.key - b.key);
      const answer = pickBatch(queue.waiting, GPU, seed);
      expect(
        pickBatch(
          shuffled.map(({ entry }) => entry),
          GPU,
          seed,
        ),
      ).to.deep.equal(answer);
    }
  });

  it('fills a batch where there is company', () => {
    const queue = new Queue(GPU);
    for (let i = 0; i < 40; i++) queue.arrive('ana', { cost: 100 });
    expect([queue.serve().length, queue.serve().length, queue.serve().length]).to.deep.equal([16, 16, 8]);
  });

  it('takes one row at a time where batches gain nothing', () => {
    const queue = new Queue(ONE_ROW);
    for (let i = 0; i < 4; i++) queue.arrive('ana');
    expect(queue.serve()).to.have.length(1);
  });
});

describe('The order of the queue', () => {
  it('is that of arrival for one user', () => {
    const queue = new Queue(ONE_ROW);
    const entries = Array.from({ length: 20 }, () => queue.arrive('ana'));
    expect(entries.map((entry) => queue.serve()[0] === entry)).not.to.include(false);
  });

  it('puts those who are waited for first', () => {
    const queue = new Queue(ONE_ROW);
    queue.arrive('ana');
    const urgent = queue.arrive('ana', { priority: 'interactive' });
    expect(queue.serve()).to.deep.equal([urgent]);
  });

  it('does not let those who are waited for starve the others', () => {
    const queue = new Queue(ONE_ROW);
    const patient = queue.arrive('budi');
    for (let i = 0; i < 1000; i++) queue.arrive('ana', { priority: 'interactive' });
    expect(queue.turnsUntil(patient)).to.be.at.most(TURNS);
  });

  for (const limits of [ONE_ROW, GPU]) {
    it(`lets a single segment pass 10,000 of another user, ${limits.rows} rows a batch`, () => {
      const queue = new Queue(limits);
      for (let i = 0; i < 10_000; i++) queue.arrive('ana');
      for (let i = 0; i < 50; i++) queue.serve();
      const single = queue.arrive('budi');
      expect(queue.turnsUntil(single)).to.be.at.most(2);
    });
  }

  it('shares by what segments cost, not by how many they are', () => {
    const queue = new Queue(ONE_ROW);
    for (let i = 0; i < 400; i++) queue.arrive('ana', { cost: 50 });
    for (let i = 0; i < 100; i++) queue.arrive('budi', { cost: 200 });
    const served: Record<string, number> = { ana: 0, budi: 0 };
    for (let i = 0; i < 250; i++) {
      const [entry] = queue.serve();
      served[entry!.user]! += entry!.cost;
    }
    expect(served.ana! / served.budi!).to.be.within(0.95, 1.05);
  });

  it('gives nobody turns for having been idle', () => {
    const queue = new Queue(ONE_ROW);
    for (let i = 0; i < 100; i++) queue.arrive('ana');
    for (let i = 0; i < 60; i++) queue.serve();
    for (let i = 0; i < 100; i++) queue.arrive('budi');
    const users = Array.from({ length: 40 }, () => queue.serve()[0]!.user);
    expect(users.filter((user) => user === 'ana').length).to.be.within(19, 21);
  });
});
