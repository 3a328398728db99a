/** A program that has been started and not yet been used. */
export interface Startable {
  /** Resolves when it is over, however it ended. */
  readonly ended: Promise<void>;
  kill(reason: Error): void;
}

export interface SparesOptions {
  /** Seconds after which one that nobody has taken gives way to one of another kind. */
  yieldAfter: number;
  /** Seconds after which one that nobody has taken is ended. */
  endAfter: number;
}

interface Spare<Run> {
  run: Run;
  since: number;
  ending: NodeJS.Timeout;
}

/**
 * Runs started ahead of their use, one for each kind that was used a while ago: of the 60 ms until the first byte of a
 * new ffmpeg all but 3 are its start.
 */
export class Spares<Kind, Run extends Startable> {
  readonly #waiting = new Map<string, Spare<Run>>();

  constructor(
    private readonly start: (kind: Kind) => Run,
    /** At a time; 0 keeps none. */
    public most: number,
    private readonly options: SparesOptions,
  ) {}

  /** The spare of a kind, or else a new run. */
  take(kind: Kind): Run {
    return this.#remove(JSON.stringify(kind)) ?? this.start(kind);
  }

  /** Starts one for the next time, unless one waits or there is no room. */
  keep(kind: Kind): void {
    const name = JSON.stringify(kind);
    if (this.#waiting.has(name) || !this.#makeRoom()) return;
    const run = this.start(kind);
    const ending = setTimeout(() => this.#end(name), this.options.endAfter * 1000).unref();
    this.#waiting.set(name, { run, since: performance.now(), ending });
    void run.ended.then(() => {
      if (this.#waiting.get(name)?.run === run) this.#remove(name);
    });
  }

  /** Ends all that wait: one that failed may not be the only one. */
  endAll(): void {
    for (const name of [...this.#waiting.keys()]) this.#end(name);
  }

  #makeRoom(): boolean {
    if (this.#waiting.size < this.most) return true;
    const [oldest] = this.#waiting;
    if (!oldest || performance.now() - oldest[1].since < this.options.yieldAfter * 1000) return false;
    this.#end(oldest[0]);
    return true;
  }

  #end(name: string): void {
    this.#remove(name)?.kill(new Error('Nobody needed it.'));
  }

  #remove(name: string): Run | undefined {
    const spare = this.#waiting.get(name);
    clearTimeout(spare?.ending);
    this.#waiting.delete(name);
    return spare?.run;
  }
}
