import { randomBytes, randomInt } from 'node:crypto';
import { parse, stringify, v7 } from 'uuid';

const SEQUENCE_END = 2 ** 32;
const ID_BYTES = 16;

/** A new job's id and the moment that it carries. */
export interface JobMoment {
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/**
 * Makes job ids: UUIDv7 (RFC 9562) whose order is the order of making, whatever the clock does. Within a millisecond,
 * and for as long as the clock is behind the newest id, the 32-bit sequence counts on; so `createdAt` never runs
 * back either. `newest` is the newest id of earlier processes.
 */
export class JobIds {
  readonly #now: () => number;
  #milliseconds: number;
  #sequence = SEQUENCE_END;
  #random = Buffer.alloc(0);

  constructor(now: () => number, newest?: string) {
    this.#now = now;
    this.#milliseconds = newest === undefined ? 0 : millisecondsOf(newest);
  }

  next(): JobMoment {
    const now = Math.floor(this.#now());
    if (now > this.#milliseconds) this.#begin(now);
    else if (++this.#sequence >= SEQUENCE_END) this.#begin(this.#milliseconds + 1);
    return {
      id: v7({ msecs: this.#milliseconds, seq: this.#sequence, random: this.#randomBytes() }),
      createdAt: this.#milliseconds,
    };
  }

  /** Random bytes are fetched for many ids at once: each fetch costs more than all else about an id. */
  #randomBytes(): Buffer {
    if (this.#random.length < ID_BYTES) this.#random = randomBytes(256 * ID_BYTES);
    const bytes = this.#random.subarray(0, ID_BYTES);
    this.#random = this.#random.subarray(ID_BYTES);
    return bytes;
  }

  /** The sequence begins at random in its lower half, so that ids can't be guessed and have room to count. */
  #begin(milliseconds: number): void {
    this.#milliseconds = milliseconds;
    this.#sequence = randomInt(SEQUENCE_END / 2);
  }
}

/** The 16 bytes of an id, or nothing when it is no UUID. */
export function idBytes(id: string): Buffer | undefined {
  try {
    return Buffer.from(parse(id));
  } catch {
    return undefined;
  }
}

export function idText(bytes: Uint8Array): string {
  return stringify(bytes);
}

/** The smallest 16 bytes that an id made at or after `milliseconds` can have. */
export function lowestIdAt(milliseconds: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(0, Math.ceil(milliseconds)), 2 ** 48 - 1), 0, 6);
  return bytes;
}

function millisecondsOf(id: string): number {
  return Buffer.from(parse(id)).readUIntBE(0, 6);
}
