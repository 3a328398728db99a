import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LantangError } from '../errors.js';
import type { EncodeRequest, Encoder } from './encoder.js';
import { openEncoder } from './encode.js';
import type { FfmpegCapabilities, FfmpegTask, HelperOptions, HelperReady } from './ffmpeg-task.js';
import { openShifter, type ShiftRequest, type Shifter } from './pitch.js';
import { Recording, type FfmpegRunner } from './recording.js';

export interface EncoderProcessOptions {
  /** For results in the making; made when absent. What a killed process left there is removed. */
  scratchDirectory: string;
  /** Program, or its path; by default the `ffmpeg` that PATH leads to. */
  ffmpegPath?: string;
}

interface Helper extends HelperReady {
  child: ChildProcess;
}

/** Seconds between attempts to start a helper that does not come up, doubled each time up to the last. */
const FIRST_DELAY = 0.1;
const LAST_DELAY = 5;

/**
 * The ffmpeg helper process as the main process sees it. Start it before a model is loaded. When the helper dies it is
 * started again; recordings in flight fail with `encoding_failed` (retryable), later ones wait for the new helper.
 */
export class EncoderProcess implements FfmpegRunner {
  readonly scratchDirectory: string;
  readonly #helperOptions: HelperOptions;
  #helper: Promise<Helper>;
  #capabilities: FfmpegCapabilities = { encoders: [], rubberband: false };
  #child: ChildProcess | undefined;
  #closed = false;

  static async start(options: EncoderProcessOptions): Promise<EncoderProcess> {
    await mkdir(options.scratchDirectory, { recursive: true });
    const process = new EncoderProcess(options);
    await process.#helper;
    return process;
  }

  private constructor({ scratchDirectory, ffmpegPath = 'ffmpeg' }: EncoderProcessOptions) {
    this.scratchDirectory = scratchDirectory;
    this.#helperOptions = { scratchDirectory, ffmpegPath };
    this.#helper = this.#launch();
  }

  /** Throws `ffmpeg_missing` where the format needs an encoder that this machine lacks. */
  open(request: EncodeRequest): Encoder {
    return openEncoder(this, request);
  }

  /** Throws `pitch_unavailable` where ffmpeg lacks the rubberband filter. */
  openShifter(request: ShiftRequest): Shifter {
    return openShifter(this, request);
  }

  /** What ffmpeg can do on this machine, as the helper found when it was last started. */
  capabilities(): FfmpegCapabilities {
    return this.#capabilities;
  }

  /** Starts ffmpeg with a task; it is already running when the first samples come. */
  record(task: FfmpegTask): Recording {
    return new Recording(
      this.#helper.then(({ socketPath }) => socketPath),
      task,
    );
  }

  /** Process id of the helper, for tests and diagnosis; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Ends the helper and every ffmpeg; recordings in flight fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    if (child.connected) child.disconnect();
    await exited;
  }

  async #launch(): Promise<Helper> {
    const child = fork(HELPER, [JSON.stringify(this.#helperOptions)], {
      execArgv: [],
      // Its own process group: Ctrl-C on a terminal must not end ffmpeg while jobs are being finished.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    const ready = await Promise.race([
      once(child, 'message').then(([message]) => message as HelperReady),
      once(child, 'exit').then(() => Promise.reject(unavailable())),
    ]);
    this.#capabilities = ready.capabilities;
    child.once('exit', () => {
      // A helper that was killed could not do so itself.
      rmSync(dirname(ready.socketPath), { recursive: true, force: true });
      this.#replace();
    });
    return { child, ...ready };
  }

  #replace(): void {
    if (this.#closed) return;
    this.#helper = this.#launch().catch(() => this.#relaunch(FIRST_DELAY));
    this.#helper.catch(() => {});
  }

  async #relaunch(seconds: number): Promise<Helper> {
    await delay(seconds * 1000, undefined, { ref: false });
    if (this.#closed) throw unavailable();
    return this.#launch().catch(() => this.#relaunch(Math.min(LAST_DELAY, seconds * 2)));
  }
}

const HELPER = fileURLToPath(new URL('./ffmpeg-process.js', import.meta.url));

function unavailable(): LantangError {
  return new LantangError('encoding_failed', 'The process that runs ffmpeg could not be started.', {
    retryable: true,
  });
}
