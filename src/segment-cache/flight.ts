import { concat } from '../audio/waveform.js';
import type { Row } from '../inference/binding.js';
import type { StreamWindows } from '../inference/lane-task.js';
import type { RowSpeaker, SynthesisOptions, SynthesisTimes } from '../inference/row-speaker.js';
import type { Voice } from '../voices/voice.js';
import type { Segment } from './segment.js';
import { SharedPieces } from './shared-pieces.js';

/** Somebody who wants the row. */
export interface Caller {
  options: SynthesisOptions;
  /** Set where the samples are wanted in pieces. */
  windows?: StreamWindows;
}

/** What is to be spoken, and by whom. */
export interface Wanted {
  speaker: RowSpeaker;
  voice: Voice;
  row: Row;
}

/** A place in the lanes' queue, for all callers who would come after the first of them in any case. */
interface Place {
  callers: Set<Caller>;
  streams: boolean;
  control: AbortController;
  /** When it was taken, milliseconds (`performance.now`). */
  since: number;
}

export type Outcome = { durations?: Int32Array | undefined } & SynthesisTimes;

/**
 * One row on its way to everybody who asks for it meanwhile. It is first looked for, then spoken.
 *
 * Every user keeps a place of their own in the lanes' queue, by their own priority and turn. The place that is reached
 * first speaks for all, and the others are given up: so nobody waits longer for having company, and whoever leaves
 * takes only their own place along. Two places that are reached at the same moment are both spoken, which costs time
 * and nothing else.
 */
export class Flight {
  readonly #pieces = new SharedPieces();
  readonly #callers = new Set<Caller>();
  readonly #places = new Map<string, Place>();
  #state: 'looking' | 'queued' | 'speaking' | 'over' = 'looking';
  #speaking: Place | undefined;
  /** When a lane began, by the scheduler's own account. */
  #began = 0;
  #outcome: Outcome = { queued: 0, inferred: 0 };

  /**
   * `landed` is called when nobody can join any more: with the segment if it was spoken. `found` resolves with the
   * segment where there is one after all.
   */
  constructor(
    private readonly wanted: Wanted,
    private readonly landed: (spoken?: Segment) => void,
    found?: Promise<Segment | undefined>,
  ) {
    if (found) void found.then((segment) => this.#looked(segment));
    else this.#state = 'queued';
  }

  /** The row's samples as they come. Whoever reads no further, or whose signal aborts, leaves. */
  join(caller: Caller): AsyncGenerator<Float32Array> {
    const { signal } = caller.options;
    const leave = () => this.#leave(caller);
    this.#callers.add(caller);
    signal?.addEventListener('abort', leave, { once: true });
    if (this.#state === 'queued') this.#queue(caller);
    return this.#follow(signal, () => {
      signal?.removeEventListener('abort', leave);
      leave();
    });
  }

  /** How it went for a caller who asked at that time (`performance.now`); known when the samples have ended. */
  outcome(asked: number): Outcome {
    return { ...this.#outcome, queued: Math.max(0, this.#began - asked) / 1000 };
  }

  async *#follow(signal: AbortSignal | undefined, leave: () => void): AsyncGenerator<Float32Array> {
    try {
      yield* this.#pieces.read(signal);
    } finally {
      leave();
    }
  }

  #looked(found: Segment | undefined): void {
    if (found) {
      this.#pieces.push(found.samples);
      this.#end({ durations: found.durations, queued: 0, inferred: 0 }, false);
    } else if (this.#callers.size === 0) {
      this.#giveUp(undefined);
    } else {
      this.#state = 'queued';
      for (const caller of this.#callers) this.#queue(caller);
    }
  }

  #queue(caller: Caller): void {
    const name = placeOf(caller);
    const taken = this.#places.get(name);
    if (taken) return void taken.callers.add(caller);
    const place = {
      callers: new Set([caller]),
      streams: caller.windows !== undefined,
      control: new AbortController(),
      since: performance.now(),
    };
    this.#places.set(name, place);
    void this.#wait(place, caller);
  }

  async #wait(place: Place, caller: Caller): Promise<void> {
    try {
      const outcome = await this.#speak(place, caller);
      if (this.#speaking !== place) return;
      this.#began = place.since + 1000 * outcome.queued;
      this.#end(outcome, true);
    } catch (error) {
      if (!place.control.signal.aborted) this.#giveUp(error);
    }
  }

  async #speak(place: Place, { options, windows }: Caller): Promise<Outcome> {
    const { speaker, voice, row } = this.wanted;
    const own = { ...options, signal: place.control.signal, onBegin: () => this.#begin(place) };
    if (windows) {
      const stream = speaker.stream(voice, row, windows, own);
      for await (const piece of stream.pieces) this.#take(place, piece);
      return stream.outcome();
    }
    const { samples, ...outcome } = await speaker.synthesize(voice, row, own);
    this.#take(place, samples);
    return outcome;
  }

  /** A place that another was faster than has nothing to say. */
  #take(place: Place, samples: Float32Array): void {
    this.#begin(place);
    if (this.#speaking === place) this.#pieces.push(samples);
  }

  #begin(place: Place): void {
    if (this.#state !== 'queued') return;
    this.#state = 'speaking';
    this.#speaking = place;
    // Later, since the lanes' queue is in the middle of something.
    queueMicrotask(() => this.#abandon((other) => other !== place));
  }

  #leave(caller: Caller): void {
    this.#callers.delete(caller);
    const deserted = (place: Place) => place.callers.delete(caller) && place.callers.size === 0;
    if (this.#state === 'queued') this.#abandon(deserted);
    if (this.#callers.size > 0) return;
    // A whole row cannot be stopped once a lane has it, and may be wanted again.
    const runsOn = this.#state === 'looking' || (this.#state === 'speaking' && !this.#speaking!.streams);
    if (!runsOn) this.#giveUp(undefined);
  }

  #abandon(which: (place: Place) => boolean): void {
    for (const [name, place] of this.#places) {
      if (!which(place)) continue;
      this.#places.delete(name);
      place.control.abort();
    }
  }

  #end(outcome: Outcome, spoken: boolean): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#outcome = outcome;
    this.#pieces.end();
    const { durations } = outcome;
    if (spoken) this.landed({ samples: concat(this.#pieces.all), ...(durations && { durations }) });
    else this.landed();
  }

  #giveUp(reason: unknown): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#pieces.fail(reason);
    this.#abandon(() => true);
    this.landed();
  }
}

function placeOf({ options, windows }: Caller): string {
  return `${options.priority} ${windows ? 'pieces' : 'whole'} ${options.user}`;
}
