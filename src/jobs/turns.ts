/** How many jobs may be in flight. */
export interface TurnLimits {
  /** In all. */
  total: number;
  /** Of one user. */
  perUser: number;
  /** Of the total, and on top of a user's own: only for jobs that somebody waits for. */
  reserved: number;
}

/** The right to have one job in flight: a named one, or the user's oldest. */
export interface Turn {
  user: string;
  id?: string;
  /** When it was given, in turns. */
  given: number;
}

interface Line {
  running: number;
  /** When the user last got a turn, in turns. */
  served: number;
  /** When jobs of the user were last heard of; `undefined`: there are none ready. */
  ready: number | undefined;
  /** A turn was given and is yet to find a job: one at a time, so that one ready job is not looked for by many. */
  looking: boolean;
  /** Ready jobs that somebody waits for, oldest first. */
  waiting: Set<string>;
}

/** Sensible limits for a number of jobs in flight. */
export function limitsFor(total: number): TurnLimits {
  return { total, perUser: Math.ceil(total / 2), reserved: Math.floor(total / 8) };
}

/**
 * Whose turn it is. Jobs that somebody waits for come first; between users, who has fewest in flight, then who had a
 * turn longest ago. No user may take all places, and one with nothing in flight always finds one, up to twice the
 * total: so ten thousand jobs of one user don't delay the single job of another, whose segments then take their
 * fair share of the lanes.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #lines = new Map<string, Line>();
  #running = 0;
  #clock = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** The user has ready jobs. */
  ready(user: string): void {
    this.#line(user).ready = ++this.#clock;
  }

  /** Somebody waits for this ready job. */
  waits(user: string, id: string): void {
    this.#line(user).waiting.add(id);
  }

  /** The next turn, or nothing until one is found or ends or something becomes ready. Each must be ended. */
  next(): Turn | undefined {
    const waiting = this.#first(
      (line) => line.waiting.size > 0 && this.#hasRoom(line, this.#limits.reserved),
    );
    if (waiting) {
      const [id] = waiting[1].waiting;
      waiting[1].waiting.delete(id!);
      return this.#give(waiting, id);
    }
    const ready = this.#first((line) => line.ready !== undefined && !line.looking && this.#hasRoom(line, 0));
    if (ready) ready[1].looking = true;
    return ready && this.#give(ready);
  }

  /** The turn has found its job. */
  found({ user, id }: Turn): void {
    if (id === undefined) this.#line(user).looking = false;
  }

  /** The job is no longer in flight. */
  end({ user }: Turn): void {
    const line = this.#line(user);
    this.#running -= 1;
    line.running -= 1;
    this.#forgetIdle(user, line);
  }

  /** There was no job for this turn, so there are none until we hear of one. */
  endEmpty(turn: Turn): void {
    const line = this.#line(turn.user);
    const heardSince = line.ready !== undefined && line.ready > turn.given;
    if (turn.id === undefined && !heardSince) line.ready = undefined;
    this.found(turn);
    this.end(turn);
  }

  #hasRoom(line: Line, reserved: number): boolean {
    const { total, perUser } = this.#limits;
    if (line.running === 0) return this.#running < 2 * total;
    return line.running < perUser + reserved && this.#running < total - this.#limits.reserved + reserved;
  }

  #first(may: (line: Line) => boolean): [string, Line] | undefined {
    let best: [string, Line] | undefined;
    for (const entry of this.#lines) if (may(entry[1]) && (!best || before(entry[1], best[1]))) best = entry;
    return best;
  }

  #give([user, line]: [string, Line], id?: string): Turn {
    this.#running += 1;
    line.running += 1;
    line.served = ++this.#clock;
    return { user, given: line.served, ...(id !== undefined && { id }) };
  }

  #line(user: string): Line {
    let line = this.#lines.get(user);
    if (!line)
      this.#lines.set(
        user,
        (line = { running: 0, served: 0, ready: undefined, looking: false, waiting: new Set() }),
      );
    return line;
  }

  #forgetIdle(user: string, { running, ready, waiting }: Line): void {
    if (running === 0 && ready === undefined && waiting.size === 0) this.#lines.delete(user);
  }
}

function before(a: Line, b: Line): boolean {
  return a.running - b.running < 0 || (a.running === b.running && a.served < b.served);
}
