const KEPT = 1000;

/** Phase times of the jobs that settled last, for callers who waited for them. */
export class RecentTimes {
  readonly #times = new Map<string, Record<string, number>>();

  note(id: string, times: object): void {
    this.#times.set(id, { ...times });
    const [oldest] = this.#times.keys();
    if (this.#times.size > KEPT) this.#times.delete(oldest!);
  }

  of(id: string): Record<string, number> | undefined {
    return this.#times.get(id);
  }
}
