import { concat, inOnePiece } from '../audio/waveform.js';
import type { Row } from '../inference/binding.js';
import type { StreamWindows } from '../inference/lane-task.js';
import type { RowSpeaker, RowStream, SpokenRow, SynthesisOptions } from '../inference/row-speaker.js';
import type { Voice } from '../voices/voice.js';
import { AskedBefore } from './asked-before.js';
import type { DiskSegments } from './disk-segments.js';
import { Flight, type Caller, type Wanted } from './flight.js';
import { MemorySegments } from './memory-segments.js';
import { compact, type Segment } from './segment.js';
import type { SegmentKey, SegmentKeys } from './segment-key.js';

export interface CacheParts {
  speaker: RowSpeaker;
  keys: SegmentKeys;
  /** Bytes. */
  memoryLimit: number;
  /** Absent: nothing outlives the process. */
  disk?: DiskSegments;
}

/** Where rows were answered from, so far. */
export interface CacheAnswers {
  memory: number;
  disk: number;
  /** By a row that was already on its way for somebody else. */
  joined: number;
  /** By a lane. */
  miss: number;
}

export interface CacheStats {
  answers: CacheAnswers;
  memory: { entries: number; bytes: number };
  disk: { entries: number; bytes: number; evictions: number; failures: number };
}

/** Keys that are remembered as asked for: some megabytes of them. */
const REMEMBERED = 20_000;

/**
 * Lanes that need not speak twice what is asked for twice. Answers are those of the lanes, bit for bit, but for the
 * times in them; samples belong to everybody who was given them, and are not to be written to.
 */
export class CachedSynthesizer implements RowSpeaker {
  readonly #parts: CacheParts;
  readonly #memory: MemorySegments;
  readonly #asked = new AskedBefore(REMEMBERED);
  readonly #flights = new Map<SegmentKey, { flight: Flight; known: boolean }>();
  readonly #answers: CacheAnswers = { memory: 0, disk: 0, joined: 0, miss: 0 };

  constructor(parts: CacheParts) {
    this.#parts = parts;
    this.#memory = new MemorySegments(parts.memoryLimit);
  }

  async synthesize(voice: Voice, row: Row, options: SynthesisOptions): Promise<SpokenRow> {
    const { pieces, outcome } = this.#answer(voice, row, { options });
    const samples: Float32Array[] = [];
    for await (const piece of pieces) samples.push(piece);
    const { durations, ...times } = outcome();
    return { samples: concat(samples), ...(durations && { durations }), ...times };
  }

  stream(voice: Voice, row: Row, windows: StreamWindows, options: SynthesisOptions): RowStream {
    return this.#answer(voice, row, { options, windows });
  }

  stats(): CacheStats {
    const { disk } = this.#parts;
    return {
      answers: { ...this.#answers },
      memory: { entries: this.#memory.entries, bytes: this.#memory.bytes },
      disk: {
        entries: disk?.entries ?? 0,
        bytes: disk?.bytes ?? 0,
        evictions: disk?.evictions ?? 0,
        failures: disk?.failures ?? 0,
      },
    };
  }

  #answer(voice: Voice, row: Row, caller: Caller): RowStream {
    caller.options.signal?.throwIfAborted();
    const key = this.#parts.keys.of(voice, row, caller.options.user);
    const known = this.#asked.note(key);
    const segment = this.#memory.get(key);
    if (segment) return this.#fromMemory(key, segment);
    const asked = performance.now();
    const flight = this.#flight(key, { ...this.#parts, voice, row }, known);
    const pieces = flight.join(caller);
    return { pieces, outcome: () => ({ durations: undefined, ...flight.outcome(asked) }) };
  }

  #fromMemory(key: SegmentKey, segment: Segment): RowStream {
    this.#answers.memory += 1;
    this.#parts.disk?.use(key);
    this.#parts.disk?.write(key, segment);
    return {
      pieces: inOnePiece(segment.samples),
      outcome: () => ({ durations: segment.durations, queued: 0, inferred: 0 }),
    };
  }

  /** The one under way, else a new one. */
  #flight(key: SegmentKey, wanted: Wanted, known: boolean): Flight {
    const underWay = this.#flights.get(key);
    if (underWay) {
      this.#answers.joined += 1;
      underWay.known = true;
      return underWay.flight;
    }
    const landed = (spoken?: Segment) => {
      const { known = false } = this.#flights.get(key) ?? {};
      this.#flights.delete(key);
      if (spoken) this.#keep(key, spoken, known);
    };
    const flight = new Flight(wanted, landed, this.#lookUp(key));
    this.#flights.set(key, { flight, known });
    return flight;
  }

  /** On the disk, if it may be there. */
  #lookUp(key: SegmentKey): Promise<Segment | undefined> | undefined {
    const { disk } = this.#parts;
    if (disk?.has(key)) return this.#read(disk, key);
    this.#answers.miss += 1;
    return undefined;
  }

  async #read(disk: DiskSegments, key: SegmentKey): Promise<Segment | undefined> {
    const segment = await disk.read(key);
    this.#answers[segment ? 'disk' : 'miss'] += 1;
    if (!segment) return undefined;
    disk.use(key);
    this.#memory.set(key, segment);
    return segment;
  }

  #keep(key: SegmentKey, spoken: Segment, known: boolean): void {
    const segment = compact(spoken);
    this.#memory.set(key, segment);
    if (known) this.#parts.disk?.write(key, segment);
  }
}
