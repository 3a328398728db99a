import { Contestant, type Task } from './contestant.js';

/** Several processes of one program, each busy with one text at a time; who waits longest gets the next free one. */
export class ContestantPool {
  readonly #all: Contestant[];
  readonly #free: Contestant[];
  readonly #waiting: ((contestant: Contestant) => void)[] = [];

  private constructor(contestants: Contestant[]) {
    this.#all = contestants;
    this.#free = [...contestants];
  }

  static async start(command: string, args: string[], processes: number): Promise<ContestantPool> {
    const started: Contestant[] = [];
    for (let count = 0; count < processes; count++) started.push(await Contestant.start(command, args));
    return new ContestantPool(started);
  }

  get version(): string {
    return this.#all[0]?.version ?? '';
  }

  /** Seconds of audio that the text gave. */
  async speak(task: Task): Promise<number> {
    const contestant =
      this.#free.pop() ?? (await new Promise<Contestant>((next) => this.#waiting.push(next)));
    try {
      return (await contestant.speak([task])).audioSeconds;
    } finally {
      const next = this.#waiting.shift();
      if (next) next(contestant);
      else this.#free.push(contestant);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((contestant) => contestant.stop()));
  }
}
