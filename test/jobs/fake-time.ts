import type { Time } from '../../src/jobs/time.js';

/** A clock that stands until the test moves it. */
export class FakeTime implements Time {
  #now: number;
  #elapsed = 0;
  #alarms: { at: number; call: () => void }[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;
  readonly seconds = (): number => this.#elapsed / 1000;

  after(milliseconds: number, call: () => void): () => void {
    const alarm = { at: this.#elapsed + Math.max(0, milliseconds), call };
    this.#alarms.push(alarm);
    return () => (this.#alarms = this.#alarms.filter((other) => other !== alarm));
  }

  /** Lets time pass, and rings the alarms of it in order. */
  advance(milliseconds: number): void {
    const end = this.#elapsed + milliseconds;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#move(next.at);
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next);
      next.call();
    }
    this.#move(end);
  }

  /** Sets the clock without letting time pass. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }

  get alarms(): number {
    return this.#alarms.length;
  }

  #next(end: number): { at: number; call: () => void } | undefined {
    return this.#alarms.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }

  #move(elapsed: number): void {
    this.#now += elapsed - this.#elapsed;
    this.#elapsed = elapsed;
  }
}
