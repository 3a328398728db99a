import { LantangError } from '../errors.js';
import type { Voice } from '../voices/voice.js';
import { isDeviceLost, type Row, type RowResult } from './binding.js';
import { Dispatch, type Order } from './dispatch.js';
import { Lane } from './lane.js';
import type {
  LaneAnswer,
  LaneMessage,
  LaneOrder,
  LaneSetup,
  LaneVoice,
  StreamWindows,
  Work,
} from './lane-task.js';
import { PieceQueue } from './piece-queue.js';
import type { BatchLimits, Waiting } from './pick-batch.js';
import { Recovery } from './recovery.js';
import type { RowSpeaker, RowStream, SpokenRow, SynthesisOptions, SynthesisTimes } from './row-speaker.js';
import { secondsNow } from './shared-clock.js';

export interface SchedulerStats {
  lanes: number;
  busy: number;
  /** Lanes whose device has failed and has not come back. */
  lost: number;
  /** Rows that no lane has begun. */
  waiting: number;
  /** Native calls and rows so far. */
  batches: number;
  rows: number;
}

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
 * because the lanes are busy: nothing is ever held back to wait for company. While they are, as many batches as there
 * are lanes lie ready for whichever is free first (see `Dispatch`).
 */
export class Synthesizer implements RowSpeaker {
  readonly #lanes: Lane[];
  readonly #dispatch: Dispatch<Entry>;
  readonly #recovery: Recovery;
  #prefetching: NodeJS.Immediate | undefined;
  #closed = false;

  /** `noted` is told what the engine has to tell the operator: what it could not have, and does instead. */
  constructor(lanes: LaneSetup[], limits: BatchLimits, noted: (sentence: string) => void = () => {}) {
    this.#dispatch = new Dispatch(limits, ({ options }) => options.onBegin?.());
    this.#recovery = new Recovery(() => this.#fill());
    this.#lanes = lanes.map((setup) => {
      const lane: Lane = new Lane(setup, {
        message: (message) => this.#receive(lane, message),
        rested: (failure) => this.#rested(lane, failure),
        noted,
      });
      return lane;
    });
  }

  synthesize(voice: Voice, row: Row, options: SynthesisOptions): Promise<SpokenRow> {
    return new Promise((resolve, reject) => {
      const entry = this.#entry(voice, row, options, (result, times) => {
        if ('error' in result) reject(rowFailure(result.error));
        else resolve({ ...result, ...times });
      });
      this.#enqueue(entry, reject);
    });
  }

  stream(voice: Voice, row: Row, windows: StreamWindows, options: SynthesisOptions): RowStream {
    const queue = new PieceQueue();
    let outcome: ReturnType<RowStream['outcome']> = { durations: undefined, queued: 0, inferred: 0 };
    const entry = this.#entry(voice, row, options, (result) => {
      if ('error' in result) queue.fail(rowFailure(result.error));
      else queue.end();
    });
    entry.alone = true;
    entry.stream = {
      windows,
      queue,
      answered: (times, durations) => (outcome = { durations, ...times }),
    };
    queue.abandoned.addEventListener('abort', () => this.#drop(entry), { once: true });
    this.#enqueue(entry, (reason) => queue.fail(reason));
    return { pieces: queue, outcome: () => outcome };
  }

  /** Loads the voice on every lane and speaks once. Throws what a row would, `device_lost` while a lane's is. */
  async warm(voice: Voice, row: Row): Promise<void> {
    this.#recovery.remember(voice, row);
    if (this.#lanes.some(({ lost }) => lost)) throw rowFailure(LOST);
    const work: Work = { kind: 'warm', voice: laneVoice(voice), row };
    const answers = await Promise.all(this.#lanes.map((lane) => lane.ask(work)));
    for (const { results } of answers) {
      for (const result of results) if ('error' in result) throw rowFailure(result.error);
    }
  }

  /** No lane keeps the voice any longer. */
  async forget(voice: Voice): Promise<void> {
    const { directory } = voice;
    await Promise.all(this.#lanes.map((lane) => lane.ask({ kind: 'forget', directory })));
  }

  /** Every lane gives back the memory that earlier runs have taken and none needs now. */
  async release(): Promise<void> {
    const free = this.#lanes.filter((lane) => lane.isFree);
    await Promise.all(free.map((lane) => lane.ask({ kind: 'release' })));
  }

  stats(): SchedulerStats {
    const { waiting, totals } = this.#dispatch;
    return {
      lanes: this.#lanes.length,
      busy: this.#lanes.filter(({ works }) => works).length,
      lost: this.#lanes.filter(({ lost }) => lost).length,
      waiting,
      batches: totals.orders,
      rows: totals.entries,
    };
  }

  /** What waits or runs is rejected with `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    clearImmediate(this.#prefetching);
    this.#recovery.close();
    for (const entry of this.#dispatch.clear()) entry.settle({ error: CLOSED }, NO_TIMES);
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  #entry(voice: Voice, row: Row, options: SynthesisOptions, settle: Entry['settle']): Entry {
    const cost = row.ids.length;
    return {
      voice: voice.directory,
      priority: options.priority,
      ...this.#dispatch.place(options.user, cost),
      cost,
      alone: !voice.manifest.batchable,
      spoken: voice,
      row,
      options,
      since: secondsNow(),
      settle,
      retried: false,
    };
  }

  #enqueue(entry: Entry, reject: (reason: Error) => void): void {
    const { signal } = entry.options;
    if (this.#closed) return entry.settle({ error: CLOSED }, NO_TIMES);
    if (signal?.aborted) return reject(signal.reason as Error);
    const leave = () => {
      this.#drop(entry);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener('abort', leave, { once: true });
    const { settle } = entry;
    entry.settle = (result, times) => {
      signal?.removeEventListener('abort', leave);
      settle(result, times);
    };
    this.#add(entry);
  }

  #add(entry: Entry): void {
    const withdrawn = this.#dispatch.add(entry);
    this.#fill();
    if (withdrawn) this.#prefetch();
  }

  /** Nobody wants it any more: it never begins, or ends early where it can. */
  #drop(entry: Entry): void {
    if (this.#dispatch.remove(entry)) this.#prefetchSoon();
    else this.#dispatch.runningWith(entry)?.ticket.cancel();
  }

  /** Gives every free lane something to do. */
  #fill(): void {
    if (this.#closed) return;
    for (const lane of this.#lanes) {
      if (!lane.isFree) continue;
      const order = this.#dispatch.take(lane.setup.lane);
      if (!order) break;
      lane.begin(laneOrder(order));
      for (const open of this.#dispatch.open()) lane.offer(laneOrder(open));
    }
    this.#prefetchSoon();
  }

  /** Once for all that arrives in one turn of the event loop. */
  #prefetchSoon(): void {
    this.#prefetching ??= setImmediate(() => this.#prefetch());
  }

  /** Lays open a batch for every lane that works. */
  #prefetch(): void {
    clearImmediate(this.#prefetching);
    this.#prefetching = undefined;
    if (this.#closed) return;
    const working = this.#lanes.filter(({ works, lost }) => works && !lost);
    for (const order of this.#dispatch.prefetch(working.length)) {
      const offered = laneOrder(order);
      for (const lane of working) lane.offer(offered);
    }
  }

  #receive(lane: Lane, message: LaneMessage): void {
    const order = this.#dispatch.running(message.order);
    if (!order) return;
    if ('piece' in message) return order.entries[0]!.stream?.queue.push(message.piece);
    this.#dispatch.end(order);
    if (message.answer.results.some(isDeviceLost)) this.#lose(lane, order);
    order.entries.forEach((entry, index) =>
      this.#answer(entry, message.answer.results[index]!, message.answer),
    );
    this.#prefetch();
  }

  #answer(entry: Entry, result: RowResult, { began, seconds, results }: LaneAnswer): void {
    if (this.#mayTryAgain(result, entry) && this.#retry(entry)) return;
    const times = { queued: began - entry.since, inferred: seconds / results.length };
    if ('samples' in result) entry.stream?.answered(times, result.durations);
    entry.settle(result, times);
  }

  /** Its rows may be tried elsewhere, each by itself: one of them may be what the device fails on. */
  #lose(lane: Lane, { entries }: Order<Entry>): void {
    for (const entry of entries) entry.alone = true;
    const { spoken, row } = entries[0]!;
    this.#recovery.begin(lane, spoken, row);
  }

  #rested(lane: Lane, failure: Error | undefined): void {
    const { lane: number } = lane.setup;
    if (failure) for (const order of this.#dispatch.runningOn(number)) this.#laneFailed(order, failure);
    this.#fill();
  }

  /**
   * A lost device is loaded anew. A duration predictor may fail by chance, on the noise that it drew: without noise it
   * does not.
   */
  #mayTryAgain(result: RowResult, entry: Entry): boolean {
    if (!('error' in result) || entry.stream?.queue.begun) return false;
    if (isDeviceLost(result)) return true;
    if (result.error.code !== 'inference_failed' || entry.row.noiseW === 0) return false;
    entry.row = { ...entry.row, noiseW: 0 };
    return true;
  }

  /** The thread itself failed, by no fault of the rows that is known: each is tried once more, then given up. */
  #laneFailed(order: Order<Entry>, { name }: Error): void {
    this.#dispatch.end(order);
    const error = this.#closed ? CLOSED : { ...DIED, message: `${DIED.message} (${name})` };
    for (const entry of order.entries) {
      if (!entry.stream?.queue.begun && this.#retry(entry)) continue;
      entry.settle({ error }, { queued: secondsNow() - entry.since, inferred: 0 });
    }
  }

  #retry(entry: Entry): boolean {
    if (entry.retried || this.#closed || entry.options.signal?.aborted) return false;
    entry.retried = true;
    entry.alone = true;
    this.#dispatch.add(entry);
    return true;
  }
}

function laneOrder({ number, ticket, entries }: Order<Entry>): LaneOrder {
  const [{ spoken, row, stream }] = entries as [Entry];
  const voice = laneVoice(spoken);
  const work: Work = stream
    ? { kind: 'stream', voice, row, ...stream.windows }
    : { kind: 'batch', voice, rows: entries.map((entry) => entry.row) };
  return { number, ticket: ticket.shared, work };
}

function laneVoice({ directory, manifest }: Voice): LaneVoice {
  return { directory, manifest };
}

const NO_TIMES: SynthesisTimes = { queued: 0, inferred: 0 };
const CLOSED = { code: 'closed', message: 'The engine was closed.' };
const DIED = { code: 'inference_failed', message: 'The thread that spoke the text ended unexpectedly.' };
const LOST = { code: 'device_lost', message: 'A device has failed and is being opened again.' };

/** Failures of the engine rather than of the row may be gone the next time. */
const RETRYABLE = new Set(['inference_failed', 'out_of_memory', 'device_lost', 'closed']);

function rowFailure({ code, message }: { code: string; message: string }): LantangError {
  return new LantangError(code, message, { retryable: RETRYABLE.has(code) });
}
