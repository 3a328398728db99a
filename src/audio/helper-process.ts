import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LantangError } from '../errors.js';
import type { FfmpegCapabilities, HelperNews, HelperOptions, HelperOrder } from './ffmpeg-task.js';
import { scratchOf } from './leftovers.js';
import { killGroup } from './process-tree.js';
import { watchForStall } from './stall-watch.js';

const PROGRAM = fileURLToPath(new URL('./ffmpeg-process.js', import.meta.url));

export interface HelperListener {
  /** What ffmpeg can do, told once after the start and again when it may have changed. */
  capabilities(found: FfmpegCapabilities): void;
}

/** Seconds that it may take to listen, on the busiest machine. */
const LONGEST_START = 15;

/** One life of the ffmpeg helper process, seen from the process that forked it. */
export class HelperProcess {
  /** Where it listens; rejects with `encoding_failed` when it does not come up. */
  readonly socketPath: Promise<string>;
  /** Resolves when it has ended, with everything it started. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #signs = 0;

  constructor(options: HelperOptions, listener: HelperListener) {
    const child = fork(PROGRAM, [JSON.stringify(options)], {
      execArgv: [],
      // A process group of its own: Ctrl-C on a terminal must not end ffmpeg while jobs are being finished, and the
      // group is what can be killed of a helper that was killed.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    // Said by its end too, which is waited for.
    child.on('error', () => {});
    const listening = new Promise<string>((resolve) => {
      child.on('message', (news: HelperNews) => {
        this.#signs += 1;
        if (news.kind === 'listening') resolve(news.socketPath);
        if (news.kind === 'capabilities') listener.capabilities(news.capabilities);
      });
    });
    this.ended = this.#end(listening, options.scratchDirectory);
    void this.#watch(listening, options.patience);
    this.socketPath = Promise.race([listening, this.ended.then(() => Promise.reject(unavailable()))]);
    this.socketPath.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  tell(order: HelperOrder): void {
    // One that is gone or going hears nothing.
    if (this.#child.connected) this.#child.send(order, () => {});
  }

  /** Ends it and every ffmpeg; kills it when it has not ended after `patience` seconds. */
  async close(patience: number): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.kill(), patience * 1000);
    await this.ended;
    clearTimeout(timer);
  }

  kill(): void {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
  }

  /** Kills a helper that does not come up, or later gives no more signs of life. */
  async #watch(listening: Promise<string>, patience: number): Promise<void> {
    const late = setTimeout(() => this.kill(), LONGEST_START * 1000);
    await Promise.race([listening, this.ended]);
    clearTimeout(late);
    const stop = watchForStall({
      owes: () => true,
      progress: () => {
        this.tell({ kind: 'alive?' });
        return this.#signs;
      },
      stalled: () => this.kill(),
      patience,
    });
    await this.ended;
    stop();
  }

  /** Clears away what one that was killed could not. */
  async #end(listening: Promise<string>, scratchDirectory: string): Promise<void> {
    // Either the one or, where it could not be forked, the other.
    await once(this.#child, 'exit').catch(() => {});
    const { pid } = this.#child;
    if (pid === undefined) return;
    killGroup(pid);
    rmSync(scratchOf(pid, scratchDirectory), { recursive: true, force: true });
    void listening.then((path) => rmSync(dirname(path), { recursive: true, force: true }));
  }
}

export function unavailable(): LantangError {
  return new LantangError('encoding_failed', 'The process that runs ffmpeg could not be started.', {
    retryable: true,
  });
}
