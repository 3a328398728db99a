import { expect } from 'chai';
import { Dispatch, type Order } from '../../src/inference/dispatch.js';
import {
  fitsInto,
  goesBefore,
  TURNS,
  type BatchLimits,
  type Waiting,
} from '../../src/inference/pick-batch.js';
import { Ticket } from '../../src/inference/ticket.js';
import { randomNumbers } from '../random-numbers.js';

const ONE_ROW: BatchLimits = { rows: 1, paddedCost: Infinity, waste: 0 };
const GPU: BatchLimits = { rows: 16, paddedCost: 3000, waste: 0.3 };

type Entry = Waiting & { user: string; name: number };

/** A lane as the dispatch sees it: a mailbox, which it reads in order, and what it is busy with. */
interface SimulatedLane {
  mailbox: Order<Entry>[];
  busy: Order<Entry> | undefined;
}

/** Lanes that work on their own time: between any two calls they may begin and end orders, unseen by the dispatch. */
class Simulation {
  readonly dispatch: Dispatch<Entry>;
  readonly lanes: SimulatedLane[];
  /** In the order in which they began. */
  readonly begun: Order<Entry>[] = [];
  #names = 0;

  constructor(
    readonly limits: BatchLimits,
    lanes: number,
  ) {
    this.dispatch = new Dispatch(limits);
    this.lanes = Array.from({ length: lanes }, () => ({ mailbox: [], busy: undefined }));
  }

  arrive(user: string, changes: Partial<Waiting> = {}): Entry {
    const cost = changes.cost ?? 100;
    const entry: Entry = {
      ...{ user, name: this.#names++, voice: 'nadia', priority: 'batch', cost, alone: false },
      ...this.dispatch.place(user, cost),
      ...changes,
    };
    const withdrawn = this.dispatch.add(entry);
    this.fill();
    if (withdrawn) this.prefetch();
    return entry;
  }

  leave(entry: Entry): boolean {
    const left = this.dispatch.remove(entry);
    this.prefetch();
    return left;
  }

  fill(): void {
    this.lanes.forEach((lane, number) => {
      if (lane.busy) return;
      const order = this.dispatch.take(number);
      if (order) this.#begin(lane, order);
    });
  }

  prefetch(): void {
    const working = this.lanes.filter(({ busy }) => busy);
    for (const order of this.dispatch.prefetch(working.length))
      for (const lane of working) lane.mailbox.push(order);
  }

  /** On the lane's own thread: it ends what it does, and begins the first order in its mailbox that nobody has. */
  finish(number: number): Order<Entry> | undefined {
    const lane = this.lanes[number]!;
    const ended = lane.busy;
    lane.busy = undefined;
    for (let next = lane.mailbox.shift(); next; next = lane.mailbox.shift()) {
      if (!next.ticket.begin(number)) continue;
      this.#begin(lane, next);
      break;
    }
    return ended;
  }

  /** On the main thread: it hears that an order has ended. */
  hear(ended: Order<Entry>): void {
    expect(this.dispatch.running(ended.number)).to.equal(ended);
    this.dispatch.end(ended);
    this.fill();
    this.prefetch();
  }

  /** Orders that begin until the entry's does, that one included. */
  ordersUntil(entry: Entry): number {
    for (let turn = 0; ; turn++) {
      const at = this.begun.findIndex(({ entries }) => entries.includes(entry));
      if (at >= 0) return at + 1;
      const ended = this.finish(turn % this.lanes.length);
      if (ended) this.hear(ended);
    }
  }

  #begin(lane: SimulatedLane, order: Order<Entry>): void {
    lane.busy = order;
    this.begun.push(order);
  }
}

const pick = <T>(random: () => number, ...values: T[]): T => values[Math.floor(random() * values.length)]!;

function randomLimits(random: () => number): BatchLimits {
  if (random() < 0.3) return ONE_ROW;
  return { rows: 1 + Math.floor(random() * 20), paddedCost: 500 + random() * 4000, waste: random() };
}

function randomArrival(simulation: Simulation, random: () => number): Entry {
  return simulation.arrive(pick(random, 'ana', 'budi', 'citra', 'dewi'), {
    voice: pick(random, 'nadia', 'joe', 'dimas'),
    priority: pick(random, 'batch', 'batch', 'interactive'),
    cost: 1 + Math.floor(random() ** 2 * 800),
    alone: random() < 0.1,
  });
}

/** One random history: arrivals, departures, lanes that finish and are heard of late. Answers what happened. */
function live(seed: number, check: (simulation: Simulation, here: Entry[]) => void = () => {}) {
  const random = randomNumbers(seed);
  const simulation = new Simulation(randomLimits(random), 1 + Math.floor(random() * 4));
  const arrived: Entry[] = [];
  const left = new Set<Entry>();
  const unheard: Order<Entry>[] = [];
  const arrivals = 1 + Math.floor(random() * 60);
  const isOver = () =>
    arrived.length === arrivals &&
    unheard.length === 0 &&
    simulation.dispatch.waiting === 0 &&
    simulation.lanes.every(({ busy }) => !busy);
  while (!isOver()) {
    const chance = random();
    if (chance < 0.35 && arrived.length < arrivals) arrived.push(randomArrival(simulation, random));
    else if (chance < 0.4 && arrived.length > 0) {
      const entry = pick(random, ...arrived);
      if (simulation.leave(entry)) left.add(entry);
    } else if (chance < 0.7) {
      const ended = simulation.finish(Math.floor(random() * simulation.lanes.length));
      if (ended) unheard.push(ended);
    } else if (unheard.length > 0) simulation.hear(unheard.shift()!);
    else simulation.prefetch();
    check(
      simulation,
      arrived.filter((entry) => !left.has(entry)),
    );
  }
  return { simulation, arrived, left };
}

describe('The dispatch, in random histories', () => {
  it('begins everything once, but what left before it began (3000 histories)', () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const { simulation, arrived, left } = live(seed);
      const served = simulation.begun.flatMap(({ entries }) => entries);
      if (new Set(served).size !== served.length) expect.fail(`seed ${seed}: something began twice`);
      if (served.some((entry) => left.has(entry))) expect.fail(`seed ${seed}: something began that had left`);
      expect(served.length + left.size, `seed ${seed}`).to.equal(arrived.length);
      expect(simulation.dispatch.totals).to.deep.equal({
        orders: simulation.begun.length,
        entries: served.length,
      });
    }
  });

  it('keeps every batch within its limits', () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const { simulation } = live(seed);
      for (const { entries } of simulation.begun) requireLegal(entries, simulation.limits, seed);
    }
  });

  function requireLegal(batch: Entry[], limits: BatchLimits, seed: number): void {
    const rest = batch.slice(1).every((entry, index) => fitsInto(batch.slice(0, index + 1), entry, limits));
    if (batch.length === 0 || !rest)
      expect.fail(`seed ${seed}: a batch of ${batch.length} breaks the limits`);
  }

  it('never lets anything lie open that others waiting have a better right than', () => {
    for (let seed = 1; seed <= 1000; seed++) {
      live(seed, ({ dispatch, begun }, here) => {
        const open = dispatch.open();
        const placed = new Set([...open, ...begun].flatMap(({ entries }) => entries));
        const waiting = here.filter((entry) => !placed.has(entry));
        const wronged = open.find(({ entries, turn }) =>
          waiting.some((entry) => goesBefore(entry, entries[0]!, turn)),
        );
        if (wronged) expect.fail(`seed ${seed}: order ${wronged.number} lies open before its betters`);
      });
    }
  });

  it('does the same again in the same history', () => {
    const story = (seed: number) =>
      live(seed).simulation.begun.map(({ number, turn, entries }) => [
        number,
        turn,
        ...entries.map(({ name }) => name),
      ]);
    for (let seed = 1; seed <= 300; seed++) expect(story(seed)).to.deep.equal(story(seed));
  });
});

describe('The dispatch', () => {
  /** A user with 10,000 entries, of which some are running and some lie open. */
  function crowded(limits: BatchLimits, lanes: number): Simulation {
    const simulation = new Simulation(limits, lanes);
    for (let i = 0; i < 10_000; i++) simulation.arrive('ana');
    simulation.prefetch();
    return simulation;
  }

  for (const limits of [ONE_ROW, GPU]) {
    for (const lanes of [1, 2, 4]) {
      const rows = `${limits.rows} rows a batch, ${lanes} lanes`;

      it(`lets a single entry go before all that another user has waiting or open (${rows})`, () => {
        const simulation = crowded(limits, lanes);
        const single = simulation.arrive('budi');
        expect(simulation.ordersUntil(single)).to.equal(lanes + 1);
      });

      it(`lets who is waited for go before all that nobody waits for (${rows})`, () => {
        const simulation = crowded(limits, lanes);
        const urgent = simulation.arrive('ana', { priority: 'interactive' });
        expect(simulation.ordersUntil(urgent)).to.equal(lanes + 1);
      });

      it(`does not let those who are waited for starve the others (${rows})`, () => {
        const simulation = new Simulation({ ...limits, rows: 1 }, lanes);
        for (let i = 0; i < lanes; i++) simulation.arrive('ana', { priority: 'interactive' });
        const patient = simulation.arrive('budi');
        for (let i = 0; i < 200; i++) {
          simulation.arrive('ana', { priority: 'interactive' });
          const ended = simulation.finish(i % lanes);
          if (ended) simulation.hear(ended);
        }
        const at = simulation.begun.findIndex(({ entries }) => entries.includes(patient));
        expect(at).to.be.within(0, TURNS + lanes);
      });
    }
  }

  it('cannot take back what a lane has begun meanwhile', () => {
    const simulation = crowded(ONE_ROW, 1);
    const [open] = simulation.dispatch.open();
    expect(open!.ticket.begin(0)).to.equal(true);
    simulation.arrive('budi');
    expect(simulation.dispatch.running(open!.number)).to.equal(open);
  });

  it('fills an open batch with what arrives', () => {
    const simulation = new Simulation(GPU, 1);
    for (let i = 0; i < 3; i++) simulation.arrive('ana');
    simulation.prefetch();
    expect(simulation.dispatch.open().map(({ entries }) => entries.length)).to.deep.equal([2]);
    for (const user of ['budi', 'citra']) simulation.arrive(user);
    simulation.prefetch();
    expect(simulation.dispatch.open().map(({ entries }) => entries.length)).to.deep.equal([4]);
  });

  it('drops one entry of an open batch and keeps the others', () => {
    const simulation = new Simulation(GPU, 1);
    const entries = Array.from({ length: 4 }, () => simulation.arrive('ana'));
    simulation.prefetch();
    expect(simulation.leave(entries[2]!)).to.equal(true);
    expect(simulation.dispatch.open().map((order) => order.entries)).to.deep.equal([
      [entries[1], entries[3]],
    ]);
  });

  it('gives up all that has not begun when it is cleared', () => {
    const simulation = crowded(GPU, 2);
    expect(simulation.dispatch.clear()).to.have.length(10_000 - 2);
    expect(simulation.dispatch.waiting).to.equal(0);
    expect(simulation.dispatch.take(5)).to.equal(undefined);
  });
});

describe('A ticket', () => {
  it('is had once: by a lane, or by nobody', () => {
    const [begun, withdrawn] = [new Ticket(), new Ticket()];
    expect([begun.begin(3), begun.begin(4), begun.withdraw(), begun.assign(3)]).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
    expect([withdrawn.withdraw(), withdrawn.begin(3), withdrawn.assign(3)]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect([begun.holder, withdrawn.holder]).to.deep.equal([3, undefined]);
  });

  it('that is assigned to a lane is begun by it, once', () => {
    const ticket = new Ticket();
    expect(ticket.assign(0)).to.equal(true);
    expect([ticket.holder, ticket.begin(1), ticket.begin(0), ticket.begin(0)]).to.deep.equal([
      0,
      false,
      true,
      false,
    ]);
  });

  it('tells other threads, through its memory, that it was cancelled', () => {
    const ticket = new Ticket();
    const elsewhere = new Ticket(ticket.shared);
    expect(elsewhere.isCancelled).to.equal(false);
    ticket.cancel();
    expect(elsewhere.isCancelled).to.equal(true);
  });
});
