import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { peakOfTree } from '../resident-memory.js';

/** One text to speak. */
export interface Task {
  text: string;
  /** The same text as ids, one list a segment, for those that are measured without a text front end. */
  segments: number[][];
}

/** What a contestant answers after it has spoken all tasks of a round. */
export interface Effort {
  audioSeconds: number;
  wallSeconds: number;
  /** Of the process that computes, user and system. */
  cpuSeconds: number;
  /** Milliseconds that each text took its client, from a program that has clients of its own. */
  latencies?: number[];
}

/** A program that speaks: reads a JSON list of tasks per line, answers each line with its effort. */
export class Contestant {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly version: string;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>, version: string) {
    this.#child = child;
    this.#lines = lines;
    this.version = version;
  }

  /** Resolves once the program has loaded its voice and said `{"version": …}`. */
  static async start(command: string, args: string[]): Promise<Contestant> {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { version } = await nextLine<{ version: string }>(lines, command);
    return new Contestant(child, lines, version);
  }

  async speak(tasks: Task[]): Promise<Effort> {
    this.#child.stdin?.write(`${JSON.stringify(tasks)}\n`);
    return nextLine<Effort>(this.#lines, this.version);
  }

  /** Most bytes resident so far, of the program and those it started; undefined where the system can't tell. */
  peakBytes(): number | undefined {
    return peakOfTree(this.#child.pid ?? 0);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin?.end();
    await ended;
  }
}

async function nextLine<T>(lines: AsyncIterator<string>, who: string): Promise<T> {
  const line = await lines.next();
  if (line.done) throw new Error(`The contestant ${who} ended without an answer.`);
  return JSON.parse(line.value) as T;
}
