import { FairClock } from './fair-queue.js';
import { fitsInto, goesBefore, pickBatch, type BatchLimits, type Waiting } from './pick-batch.js';
import { Ticket } from './ticket.js';

/** A batch on its way to a lane. */
export interface Order<Entry> {
  number: number;
  /** At least one; the first is the head, for whose sake the order stands where it stands. */
  entries: Entry[];
  /** Its turn, by which `pickBatch` chose. */
  turn: number;
  ticket: Ticket;
}

/**
 * What waits, what lies open for the next lane that is free, and what has begun.
 *
 * Some orders are opened ahead of time, so that a lane which becomes free finds one at once, without a word from this
 * thread. Whatever arrives meanwhile and has a better right takes their place: they are withdrawn, as long as no lane
 * has begun them, and picked anew. So at any moment every open order goes before everything that waits.
 *
 * Deterministic: the same calls, with lanes that begin orders at the same points, give the same orders.
 */
export class Dispatch<Entry extends Waiting> {
  readonly #waiting = new Set<Entry>();
  readonly #clock = new FairClock();
  readonly #turns = new Turns();
  /** In the order in which lanes begin them. Some may have been begun since this was last looked at. */
  #open: Order<Entry>[] = [];
  readonly #begun = new Map<number, Order<Entry>>();
  #arrivals = 0;
  #orders = 0;
  /** Something has arrived that might share a batch with what is open. */
  #mayFill = false;
  /** Orders and entries that have begun so far. */
  readonly totals = { orders: 0, entries: 0 };

  /** `begun` is told of every entry when it is noticed that a lane has begun it; it must not call back. */
  constructor(
    private readonly limits: BatchLimits,
    private readonly begun: (entry: Entry) => void = () => {},
  ) {}

  /** Entries that no lane has begun. */
  get waiting(): number {
    this.#noteBegun();
    return this.#open.reduce((sum, { entries }) => sum + entries.length, this.#waiting.size);
  }

  /** Where an entry of this user stands that arrives now. */
  place(user: string, cost: number): Pick<Waiting, 'stamp' | 'sequence'> {
    this.#noteBegun();
    return { stamp: this.#clock.stamp(user, cost), sequence: this.#arrivals++ };
  }

  /** Answers whether orders were withdrawn for its sake; `prefetch` then opens others. */
  add(entry: Entry): boolean {
    this.#noteBegun();
    this.#waiting.add(entry);
    this.#mayFill = true;
    return this.#withdrawFrom(
      this.#open.findIndex(({ entries, turn }) => goesBefore(entry, entries[0]!, turn)),
    );
  }

  /** Answers whether the entry had not begun, which it then never will. */
  remove(entry: Entry): boolean {
    this.#withdrawFrom(this.#open.findIndex(({ entries }) => entries.includes(entry)));
    return this.#waiting.delete(entry);
  }

  /** The next order, which then is this lane's. */
  take(lane: number): Order<Entry> | undefined {
    const open = this.#open.find(({ ticket }) => ticket.assign(lane));
    const order = open ?? this.#pick();
    if (order && !open) {
      order.ticket.assign(lane);
      this.#open.push(order);
    }
    this.#noteBegun();
    return order;
  }

  /** Opens orders until there are `count`; answers the new ones, in the order in which they are to be begun. */
  prefetch(count: number): Order<Entry>[] {
    this.#noteBegun();
    if (this.#mayFill) this.#withdrawFrom(this.#open.findIndex((order) => this.#couldBeFuller(order)));
    this.#mayFill = false;
    const opened: Order<Entry>[] = [];
    while (this.#open.length < count) {
      const order = this.#pick();
      if (!order) break;
      this.#open.push(order);
      opened.push(order);
    }
    return opened;
  }

  /** Those that lie open, for a lane that has not heard of them. */
  open(): readonly Order<Entry>[] {
    this.#noteBegun();
    return this.#open;
  }

  /** An order that has begun and not ended. */
  running(number: number): Order<Entry> | undefined {
    this.#noteBegun();
    return this.#begun.get(number);
  }

  runningOn(lane: number): Order<Entry>[] {
    this.#noteBegun();
    return [...this.#begun.values()].filter(({ ticket }) => ticket.holder === lane);
  }

  /** The order with this entry that has begun and not ended. */
  runningWith(entry: Entry): Order<Entry> | undefined {
    this.#noteBegun();
    return [...this.#begun.values()].find(({ entries }) => entries.includes(entry));
  }

  end({ number }: Order<Entry>): void {
    this.#begun.delete(number);
  }

  /** Answers everything that has not begun, and forgets it. */
  clear(): Entry[] {
    this.#withdrawFrom(this.#open.length === 0 ? -1 : 0);
    const entries = [...this.#waiting];
    this.#waiting.clear();
    return entries;
  }

  #pick(): Order<Entry> | undefined {
    const turn = this.#turns.take();
    const entries = pickBatch(this.#waiting, this.limits, turn);
    for (const entry of entries) this.#waiting.delete(entry);
    if (entries.length > 0) return { number: ++this.#orders, entries, turn, ticket: new Ticket() };
    this.#turns.giveBack(turn);
    return undefined;
  }

  #couldBeFuller({ entries }: Order<Entry>): boolean {
    if (entries.length >= this.limits.rows) return false;
    return [...this.#waiting].some((entry) => fitsInto(entries, entry, this.limits));
  }

  /** What no lane has begun, from there on, waits again; nothing from −1 on. */
  #withdrawFrom(index: number): boolean {
    if (index < 0) return false;
    const withdrawn = this.#open.splice(index).filter((order) => !this.#hasBegun(order));
    for (const { entries, turn } of withdrawn) {
      for (const entry of entries) this.#waiting.add(entry);
      this.#turns.giveBack(turn);
    }
    return withdrawn.length > 0;
  }

  /** Of an order that is being withdrawn: too late if a lane was faster. */
  #hasBegun(order: Order<Entry>): boolean {
    if (order.ticket.withdraw()) return false;
    this.#begin(order);
    return true;
  }

  #noteBegun(): void {
    const begun = this.#open.filter(({ ticket }) => ticket.holder !== undefined);
    if (begun.length === 0) return;
    this.#open = this.#open.filter((order) => !begun.includes(order));
    for (const order of begun) this.#begin(order);
  }

  #begin(order: Order<Entry>): void {
    this.#begun.set(order.number, order);
    this.#clock.serve(order.entries[0]!.stamp);
    this.totals.orders += 1;
    this.totals.entries += order.entries.length;
    for (const entry of order.entries) this.begun(entry);
  }
}

/** Numbers from 0 up, each used once; what is given back is used first. */
class Turns {
  #next = 0;
  readonly #returned: number[] = [];

  take(): number {
    return this.#returned.shift() ?? this.#next++;
  }

  giveBack(turn: number): void {
    this.#returned.push(turn);
    this.#returned.sort((a, b) => a - b);
  }
}
