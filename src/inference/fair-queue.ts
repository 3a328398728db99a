/**
 * Start-time fair queueing (Goyal, Vin & Cheng 1996): every entry is stamped on arrival with the virtual time at
 * which its user's turn begins, and entries are served by that stamp. A user who has many entries waiting stamps
 * them one after another; one who comes with a single entry is stamped with now, and so goes before all but one of
 * them. Virtual time is the stamp of what is being served, so nobody saves up turns by being idle.
 */
export class FairClock {
  #now = 0;
  readonly #ends = new Map<string, number>();

  /** The stamp of a new entry of this user, whose service will cost `cost`. */
  stamp(user: string, cost: number): number {
    const begin = Math.max(this.#now, this.#ends.get(user) ?? 0);
    this.#ends.set(user, begin + cost);
    return begin;
  }

  /** An entry with this stamp is being served. */
  serve(stamp: number): void {
    if (stamp <= this.#now) return;
    this.#now = stamp;
    if (this.#ends.size > MANY_USERS) this.#forgetPast();
  }

  #forgetPast(): void {
    for (const [user, end] of this.#ends) if (end <= this.#now) this.#ends.delete(user);
  }
}

/** Users after which those whose turns are all in the past are forgotten. */
const MANY_USERS = 1000;
