import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { EncodeRequest, Encoder } from './encoder.js';
import { openEncoder } from './encode.js';
import {
  INSTALL_FFMPEG,
  type FfmpegCapabilities,
  type FfmpegTask,
  type HelperOptions,
} from './ffmpeg-task.js';
import type { AudioFormatName } from './format.js';
import { ffmpegEncoder, FORMAT_NAMES } from './formats.js';
import { HelperProcess, unavailable } from './helper-process.js';
import { openShifter, type ShiftRequest, type Shifter } from './pitch.js';
import { Recording, type FfmpegRunner } from './recording.js';

export interface EncoderProcessOptions {
  /** For results in the making; made when absent. What a killed process left there is removed. */
  scratchDirectory: string;
  /** Program, or its path; by default the `ffmpeg` that PATH leads to. */
  ffmpegPath?: string;
  /** Seconds that a program may stand still while it has something to do, before it is killed. */
  patience?: number;
}

/** Seconds; far above what a busy machine takes, far below what a caller waits. */
const PATIENCE = 10;
/** Seconds that the helper may take to end. */
const LONGEST_CLOSE = 2;
/** Most ffmpegs that wait for their use, about 10 MB each. */
const SPARES = 4;
/** Seconds between attempts to start a helper that does not come up, doubled each time up to the last. */
const FIRST_DELAY = 0.1;
const LAST_DELAY = 5;

/**
 * The ffmpeg helper process as the main process sees it. Start it before a model is loaded. When the helper dies, or
 * stands still, another takes its place; recordings in flight fail with `encoding_failed` (retryable), later ones wait
 * for the new helper.
 */
export class EncoderProcess implements FfmpegRunner {
  readonly scratchDirectory: string;
  /** Times that ffmpeg was asked for. */
  runs = 0;
  readonly #helperOptions: HelperOptions;
  readonly #examined: Promise<void>;
  #capabilities: FfmpegCapabilities = { encoders: [], rubberband: false };
  #tell: () => void = () => {};
  #helper: HelperProcess;
  #socketPath: Promise<string>;
  #closed = false;

  /** Resolves when it listens and knows what ffmpeg can do. */
  static async start(options: EncoderProcessOptions): Promise<EncoderProcess> {
    await mkdir(options.scratchDirectory, { recursive: true });
    const process = new EncoderProcess(options);
    await Promise.all([process.#socketPath, process.#examined]);
    return process;
  }

  private constructor(options: EncoderProcessOptions) {
    const { scratchDirectory, ffmpegPath = 'ffmpeg', patience = PATIENCE } = options;
    this.scratchDirectory = scratchDirectory;
    this.#helperOptions = { scratchDirectory, ffmpegPath, patience, spares: 0 };
    this.#examined = new Promise((resolve) => (this.#tell = resolve));
    this.#helper = this.#launch();
    this.#socketPath = this.#helper.socketPath;
  }

  /** Throws `ffmpeg_missing` where the format needs an encoder that this machine lacks. */
  open(request: EncodeRequest): Encoder {
    return openEncoder(this, request);
  }

  /** Throws `pitch_unavailable` where ffmpeg lacks the rubberband filter. */
  openShifter(request: ShiftRequest): Shifter {
    return openShifter(this, request);
  }

  /** What ffmpeg can do on this machine, as the helper found when it last looked. */
  capabilities(): FfmpegCapabilities {
    return this.#capabilities;
  }

  /** The formats that can be made on this machine now. */
  formats(): AudioFormatName[] {
    const { encoders } = this.#capabilities;
    const formats = FORMAT_NAMES.filter((name) => {
      const encoder = ffmpegEncoder(name);
      return encoder === undefined || encoders.includes(encoder);
    });
    if (formats.length < FORMAT_NAMES.length) this.lookAgain();
    return formats;
  }

  /** Whether the pitch can be changed on this machine now. */
  shiftsPitch(): boolean {
    if (!this.#capabilities.rubberband) this.lookAgain();
    return this.#capabilities.rubberband;
  }

  /** What cannot be made on this machine now, why, and what helps; undefined where everything can. */
  shortcomings(): string | undefined {
    const { version, trouble, rubberband } = this.#capabilities;
    const formats = this.formats();
    const lacking: string[] = FORMAT_NAMES.filter((name) => !formats.includes(name));
    if (!rubberband) lacking.push('any other pitch');
    if (lacking.length === 0) return undefined;
    const why = trouble ?? `ffmpeg ${version} was built without what they need`;
    return `Cannot make ${lacking.join(', ')}: ${why}. ${INSTALL_FFMPEG} Without it there is ${formats.join(', ')}.`;
  }

  /** Calls `tell` now, and whenever it has changed what ffmpeg can do. */
  watchCapabilities(tell: () => void): void {
    this.#tell = tell;
    tell();
  }

  /** Has somebody look whether ffmpeg has come, or changed; every few seconds at most. */
  lookAgain(): void {
    this.#helper.tell({ kind: 'capabilities?' });
  }

  /** From now on ffmpegs are started ahead of their use: for a service, not for one text. */
  keepSpares(): void {
    this.#helperOptions.spares = SPARES;
    this.#helper.tell({ kind: 'spares', most: SPARES });
  }

  /** Starts ffmpeg with a task; it is already running when the first samples come. */
  record(task: FfmpegTask): Recording {
    this.runs += 1;
    return new Recording(this.#socketPath, task);
  }

  /** Process id of the helper, for tests and diagnosis; undefined while there is none. */
  get pid(): number | undefined {
    return this.#helper.pid;
  }

  /** Ends the helper and every ffmpeg; recordings in flight fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#helper.close(LONGEST_CLOSE);
  }

  #found(capabilities: FfmpegCapabilities): void {
    const before = JSON.stringify(this.#capabilities);
    this.#capabilities = capabilities;
    if (JSON.stringify(capabilities) !== before) this.#tell();
  }

  #launch(): HelperProcess {
    const helper = new HelperProcess(this.#helperOptions, {
      capabilities: (found) => this.#found(found),
    });
    void helper.socketPath.then(
      () => helper.ended.then(() => this.#replace()),
      () => {},
    );
    return helper;
  }

  #replace(): void {
    if (this.#closed) return;
    this.#socketPath = this.#relaunch(FIRST_DELAY);
    this.#socketPath.catch(() => {});
  }

  /** Tries until a helper listens; `seconds` until the next attempt. */
  async #relaunch(seconds: number): Promise<string> {
    if (this.#closed) throw unavailable();
    this.#helper = this.#launch();
    try {
      return await this.#helper.socketPath;
    } catch {
      await delay(seconds * 1000, undefined, { ref: false });
      return this.#relaunch(Math.min(LAST_DELAY, seconds * 2));
    }
  }
}
