import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ffmpeg from 'fluent-ffmpeg';
import type { FfmpegTask } from './ffmpeg-task.js';
import { killTree } from './process-tree.js';
import { watchForStall } from './stall-watch.js';

/** Takes ffmpeg's output in order; resolves when more may come. */
export type Deliver = (bytes: Buffer) => Promise<void>;

export interface RunOptions {
  /** A path not yet taken, for a result that ffmpeg must seek in. */
  scratchFile: string;
  /** Seconds that ffmpeg may stand still while it has something to do; then it is killed. */
  patience: number;
}

/** One run of ffmpeg. It starts at once, and waits for its input. */
export class FfmpegRun {
  readonly input = new PassThrough();
  readonly #command: ffmpeg.FfmpegCommand;
  readonly #killed = new AbortController();
  readonly #ended: Promise<unknown>;
  readonly #delivered: Promise<unknown>;
  readonly #receiver: Promise<Deliver>;
  readonly #stopWatching: () => void;
  #receive!: (deliver: Deliver) => void;
  #process: ChildProcess | undefined;
  #given = 0;
  #handingOver = false;

  constructor(
    private readonly task: FfmpegTask,
    private readonly options: RunOptions,
  ) {
    this.#receiver = new Promise((resolve) => (this.#receive = resolve));
    const { signal } = this.#killed;
    const target = task.seekable ? options.scratchFile : this.#sink();
    this.#command = ffmpeg(this.input)
      .inputOptions(['-hide_banner', '-loglevel', 'error', ...task.input])
      .outputOptions(task.output)
      .output(target)
      // Whoever awaits the end is told; without him nobody needs to know.
      .on('error', () => {})
      .once('start', () => this.#started());
    this.#ended = once(this.#command, 'end', { signal });
    // The process may end before its output has been read to the end, so both are waited for.
    this.#delivered = typeof target === 'string' ? this.#ended : once(target, 'finish', { signal });
    this.#delivered.catch(() => {});
    this.#ended.catch(() => {}).finally(() => this.#stopWatching());
    this.#stopWatching = watchForStall({
      owes: () => !this.#handingOver && this.#owes(),
      progress: () => this.#taken() + this.#given,
      stalled: () => this.kill(new Error(`ffmpeg stood still for ${options.patience} s`)),
      patience: options.patience,
    });
    this.#command.run();
  }

  /** Resolves when the run is over, however it ended. */
  get ended(): Promise<void> {
    return this.#ended.then(
      () => {},
      () => {},
    );
  }

  /**
   * Resolves when all of the output has been delivered; rejects when ffmpeg fails or is killed. In each case no
   * process and no scratch file is left.
   */
  async deliver(deliver: Deliver): Promise<void> {
    const { signal } = this.#killed;
    this.#receive(deliver);
    try {
      await this.#ended;
      await this.#delivered;
      if (!this.task.seekable) return;
      await pipeline(createReadStream(this.options.scratchFile), this.#sink(), { signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      if (this.task.seekable) await rm(this.options.scratchFile, { force: true });
    }
  }

  /** Ends it at once, for a reason that whoever awaits its output is told. */
  kill(reason: Error): void {
    if (this.#killed.signal.aborted) return;
    this.#killed.abort(reason);
    this.input.destroy();
    this.#killProcess();
  }

  /** ffmpeg is started a few turns of the event loop after `run()`; before that there is nothing to kill. */
  #started(): void {
    // fluent-ffmpeg keeps it to itself, and stumbles over the error of a program that cannot be started.
    this.#process = (this.#command as unknown as { ffmpegProc: ChildProcess }).ffmpegProc;
    this.#process.removeAllListeners('error').on('error', (error) => this.kill(error));
    if (this.#killed.signal.aborted) this.#killProcess();
  }

  #killProcess(): void {
    const { pid, exitCode, signalCode } = this.#process ?? {};
    if (pid !== undefined && exitCode === null && signalCode === null) void killTree(pid);
  }

  /** Whether it has been given something that it has not taken, or has been told that no more comes. */
  #owes(): boolean {
    const waiting = this.#process?.stdin?.writableLength ?? this.input.readableLength;
    return waiting > 0 || this.input.writableEnded;
  }

  /** Bytes. */
  #taken(): number {
    const stdin = this.#process?.stdin as
      { bytesWritten?: number; writableLength: number } | null | undefined;
    return (stdin?.bytesWritten ?? 0) - (stdin?.writableLength ?? 0);
  }

  /**
   * Never emits `close`: fluent-ffmpeg kills ffmpeg 20 ms after its output has closed, though all went well and the
   * machine was merely too busy to notice that ffmpeg had ended.
   */
  #sink(): Writable {
    return new Writable({
      emitClose: false,
      write: (chunk: Buffer, _encoding, done) => void this.#handOver(chunk).then(() => done(), done),
    });
  }

  async #handOver(chunk: Buffer): Promise<void> {
    this.#given += chunk.length;
    this.#handingOver = true;
    const deliver = await this.#receiver;
    await deliver(chunk);
    this.#handingOver = false;
  }
}
