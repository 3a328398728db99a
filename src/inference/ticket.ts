const HOLDER = 0;
const CANCELLED = 1;
const OPEN = 0;
const WITHDRAWN = -1;

/** A lane that shall carry an order out, and one that does so. */
const assignedTo = (lane: number): number => 2 * (lane + 1);
const begunBy = (lane: number): number => 2 * (lane + 1) + 1;

/**
 * Who has an order. One order lies with several threads at once: whichever is free first begins it, and until then it
 * can be withdrawn, or be assigned to one of them. Each of these is one atomic exchange on memory that all threads
 * share: an order is begun once, or not at all.
 */
export class Ticket {
  /** `shared` is what crosses to another thread, where a ticket is made of it again. */
  constructor(readonly shared: Int32Array = new Int32Array(new SharedArrayBuffer(8))) {}

  /** True where the lane is to carry it out now: it is open, or is this lane's, and was not begun before. */
  begin(lane: number): boolean {
    return this.#exchange(OPEN, begunBy(lane)) || this.#exchange(assignedTo(lane), begunBy(lane));
  }

  /** True where no lane had it: this one will begin it. */
  assign(lane: number): boolean {
    return this.#exchange(OPEN, assignedTo(lane));
  }

  /** True where no lane has it, which none will then. */
  withdraw(): boolean {
    return this.#exchange(OPEN, WITHDRAWN);
  }

  /** The lane that has it. */
  get holder(): number | undefined {
    const holder = Atomics.load(this.shared, HOLDER);
    return holder > OPEN ? (holder >> 1) - 1 : undefined;
  }

  /** Nobody wants what is still to come of it. */
  cancel(): void {
    Atomics.store(this.shared, CANCELLED, 1);
  }

  get isCancelled(): boolean {
    return Atomics.load(this.shared, CANCELLED) === 1;
  }

  #exchange(from: number, to: number): boolean {
    return Atomics.compareExchange(this.shared, HOLDER, from, to) === from;
  }
}
