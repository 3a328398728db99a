import { LantangError } from '../errors.js';
import type { Voice } from '../voices/voice.js';
import type { Row, RowAudio, RowResult } from './binding.js';
import { FairClock } from './fair-queue.js';
import { Lane } from './lane.js';
import type { LaneSetup, StreamMessage, StreamWindows } from './lane-task.js';
import { PieceQueue } from './piece-queue.js';
import { pickBatch, type BatchLimits, type Waiting } from './pick-batch.js';

export interface SynthesisOptions {
  priority: 'interactive' | 'batch';
  /** Whom the lanes are fair to. */
  user: string;
  signal?: AbortSignal;
  /** Called when a lane has taken the row; again should it be tried again. */
  onBegin?: () => void;
}

/** Seconds that a row waited for a lane, and that its native call took. */
export interface SynthesisTimes {
  queued: number;
  inferred: number;
}

export type SpokenRow = RowAudio & SynthesisTimes;

export interface RowStream {
  pieces: AsyncIterable<Float32Array>;
  /** Once `pieces` has ended. */
  outcome: () => { durations: Int32Array | undefined } & SynthesisTimes;
}

export interface SchedulerStats {
  lanes: number;
  busy: number;
  waiting: number;
  /** Native calls and rows so far. */
  batches: number;
  rows: number;
}

/** Whatever speaks rows. Their samples may be shared with others: they are not to be written to. */
export type RowSpeaker = Pick<Synthesizer, 'synthesize' | 'stream'>;

/** A segment waiting for a lane, and how to answer for it. */
interface Entry extends Waiting {
  spoken: Voice;
  row: Row;
  options: SynthesisOptions;
  since: number;
  /** Takes the row's result. */
  settle: (result: RowResult, times: SynthesisTimes) => void;
  /** Set for rows whose audio is wanted in pieces. */
  stream?: {
    windows: StreamWindows;
    queue: PieceQueue;
    answered: (times: SynthesisTimes, durations?: Int32Array) => void;
  };
  retried: boolean;
}

/**
 * Segments of all jobs wait here together; whenever a lane is free, `pickBatch` says what it speaks next. Batches form
 * because the lanes are busy: nothing is ever held back to wait for company.
 */
export class Synthesizer {
  readonly #lanes: Lane[];
  readonly #limits: BatchLimits;
  readonly #waiting = new Set<Entry>();
  readonly #clock = new FairClock();
  #sequence = 0;
  #turn = 0;
  #batches = 0;
  #rows = 0;
  #closed = false;

  constructor(lanes: LaneSetup[], limits: BatchLimits) {
    this.#lanes = lanes.map((setup) => new Lane(setup));
    this.#limits = limits;
  }

  /** Resolves with the row's samples. Rejects with the row's own failure, or `signal`'s reason. */
  synthesize(voice: Voice, row: Row, options: SynthesisOptions): Promise<SpokenRow> {
    return new Promise((resolve, reject) => {
      const entry = this.#entry(voice, row, options, (result, times) => {
        if ('error' in result) reject(rowFailure(result.error));
        else resolve({ ...result, ...times });
      });
      this.#enqueue(entry, reject);
    });
  }

  /** The row's samples in pieces, as they are made. */
  stream(voice: Voice, row: Row, windows: StreamWindows, options: SynthesisOptions): RowStream {
    const queue = new PieceQueue();
    let outcome: ReturnType<RowStream['outcome']> = { durations: undefined, queued: 0, inferred: 0 };
    const entry = this.#entry(voice, row, options, (result) => {
      if ('error' in result) queue.fail(rowFailure(result.error));
    });
    entry.alone = true;
    entry.stream = {
      windows,
      queue,
      answered: (times, durations) => (outcome = { durations, ...times }),
    };
    this.#enqueue(entry, (reason) => queue.fail(reason));
    return { pieces: queue, outcome: () => outcome };
  }

  /** Loads the voice on every lane and speaks once. Throws what a row would. */
  async warm(voice: Voice, row: Row): Promise<void> {
    const answers = await Promise.all(this.#lanes.map((lane) => lane.warm(voice, row)));
    for (const { results } of answers) {
      for (const result of results) if ('error' in result) throw rowFailure(result.error);
    }
  }

  /** No lane keeps the voice any longer. */
  async forget(voice: Voice): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.forget(voice)));
  }

  stats(): SchedulerStats {
    return {
      lanes: this.#lanes.length,
      busy: this.#lanes.filter((lane) => lane.busy).length,
      waiting: this.#waiting.size,
      batches: this.#batches,
      rows: this.#rows,
    };
  }

  /** What waits or runs is rejected with `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const entry of this.#waiting) entry.settle({ error: CLOSED }, { queued: 0, inferred: 0 });
    this.#waiting.clear();
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  #entry(voice: Voice, row: Row, options: SynthesisOptions, settle: Entry['settle']): Entry {
    const cost = row.ids.length;
    return {
      voice: voice.directory,
      priority: options.priority,
      stamp: this.#clock.stamp(options.user, cost),
      sequence: this.#sequence++,
      cost,
      alone: !voice.manifest.batchable,
      spoken: voice,
      row,
      options,
      since: performance.now(),
      settle,
      retried: false,
    };
  }

  #enqueue(entry: Entry, reject: (reason: Error) => void): void {
    const { signal } = entry.options;
    if (this.#closed) return entry.settle({ error: CLOSED }, { queued: 0, inferred: 0 });
    if (signal?.aborted) return reject(signal.reason as Error);
    const leave = () => {
      this.#waiting.delete(entry);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener('abort', leave, { once: true });
    const { settle } = entry;
    entry.settle = (result, times) => {
      signal?.removeEventListener('abort', leave);
      settle(result, times);
    };
    this.#waiting.add(entry);
    this.#fill();
  }

  /** Gives every free lane something to do. */
  #fill(): void {
    for (const lane of this.#lanes) {
      if (lane.busy) continue;
      const batch = pickBatch(this.#waiting, this.#limits, this.#turn);
      if (batch.length === 0) return;
      this.#turn += 1;
      this.#batches += 1;
      this.#rows += batch.length;
      for (const entry of batch) {
        this.#waiting.delete(entry);
        entry.options.onBegin?.();
      }
      this.#clock.serve(batch[0]!.stamp);
      void this.#run(lane, batch);
    }
  }

  async #run(lane: Lane, batch: Entry[]): Promise<void> {
    lane.busy = true;
    const began = performance.now();
    try {
      if (batch[0]!.stream) await this.#stream(lane, batch[0]!, began);
      else await this.#speak(lane, batch, began);
    } catch (error) {
      this.#laneFailed(batch, began, error as Error);
    } finally {
      lane.busy = false;
      this.#fill();
    }
  }

  async #speak(lane: Lane, batch: Entry[], began: number): Promise<void> {
    const { results, seconds } = await lane.speak(
      batch[0]!.spoken,
      batch.map(({ row }) => row),
    );
    batch.forEach((entry, index) => {
      const result = results[index]!;
      if (this.#mayTryAgain(result, entry) && this.#retry(entry)) return;
      entry.settle(result, { queued: (began - entry.since) / 1000, inferred: seconds / batch.length });
    });
  }

  async #stream(lane: Lane, entry: Entry, began: number): Promise<void> {
    const { windows, queue, answered } = entry.stream!;
    const queued = (began - entry.since) / 1000;
    let waitsAgain = false;
    const receive = (message: StreamMessage): void => {
      if ('samples' in message) return queue.push(message.samples);
      if ('error' in message) {
        waitsAgain = !queue.begun && this.#mayTryAgain(message, entry) && this.#retry(entry);
        if (!waitsAgain) entry.settle(message, { queued, inferred: 0 });
        return;
      }
      answered({ queued, inferred: message.end.seconds }, message.end.durations);
      queue.end();
    };
    const signals = [queue.abandoned, ...(entry.options.signal ? [entry.options.signal] : [])];
    await lane.stream(entry.spoken, entry.row, windows, { signal: AbortSignal.any(signals), receive });
    if (!waitsAgain) entry.settle({ error: DIED }, { queued, inferred: 0 });
  }

  /**
   * A lost device is loaded anew. A duration predictor may fail by chance, on the noise that it drew: without noise it
   * does not.
   */
  #mayTryAgain(result: RowResult, entry: Entry): boolean {
    if (!('error' in result)) return false;
    if (result.error.code === 'device_lost') return true;
    if (result.error.code !== 'inference_failed' || entry.row.noiseW === 0) return false;
    entry.row = { ...entry.row, noiseW: 0 };
    return true;
  }

  /** The thread itself failed, by no fault of the rows that is known: each is tried once more, then given up. */
  #laneFailed(batch: Entry[], began: number, error: Error): void {
    const failure = this.#closed ? CLOSED : { ...DIED, message: `${DIED.message} (${error.name})` };
    for (const entry of batch) {
      const begun = entry.stream?.queue.begun ?? false;
      if (!this.#closed && !begun && this.#retry(entry)) continue;
      entry.settle({ error: failure }, { queued: (began - entry.since) / 1000, inferred: 0 });
    }
  }

  #retry(entry: Entry): boolean {
    if (entry.retried) return false;
    entry.retried = true;
    this.#waiting.add(entry);
    return true;
  }
}

const CLOSED = { code: 'closed', message: 'The engine was closed.' };
const DIED = { code: 'inference_failed', message: 'The thread that spoke the text ended unexpectedly.' };

/** Failures of the engine rather than of the row may be gone the next time. */
const RETRYABLE = new Set(['inference_failed', 'out_of_memory', 'device_lost', 'closed']);

function rowFailure({ code, message }: { code: string; message: string }): LantangError {
  return new LantangError(code, message, { retryable: RETRYABLE.has(code) });
}
