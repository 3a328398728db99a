import { setTimeout as pause } from 'node:timers/promises';
import type { Voice } from '../voices/voice.js';
import type { Row } from './binding.js';
import type { Lane } from './lane.js';
import type { Work } from './lane-task.js';

/** Milliseconds between two attempts: the first at once, then doubling. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;

/** What a device answers while it is still not there. */
const STILL_LOST = new Set(['device_lost', 'device_unavailable']);

/**
 * Brings lanes back whose device has failed. The lane's thread has let go of all sessions; a lane counts as lost, and
 * gets no work, until a voice opens on its device again and speaks.
 */
export class Recovery {
  readonly #end = new AbortController();
  readonly #rows = new Map<string, Row>();

  constructor(private readonly recovered: () => void) {}

  /** A row that the voice is known to speak. */
  remember({ directory }: Voice, row: Row): void {
    this.#rows.set(directory, row);
  }

  /** `row` is tried where none is known. */
  begin(lane: Lane, voice: Voice, row: Row): void {
    if (lane.lost) return;
    lane.lost = true;
    const { directory, manifest } = voice;
    const sign: Work = {
      kind: 'warm',
      voice: { directory, manifest },
      row: this.#rows.get(directory) ?? row,
    };
    void this.#bringBack(lane, sign);
  }

  close(): void {
    this.#end.abort();
  }

  async #bringBack(lane: Lane, sign: Work): Promise<void> {
    const { signal } = this.#end;
    for (let wait = FIRST_PAUSE; !(await isBack(lane, sign)); wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      await pause(wait, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
    }
    lane.lost = false;
    this.recovered();
  }
}

async function isBack(lane: Lane, sign: Work): Promise<boolean> {
  try {
    const { results } = await lane.ask(sign);
    return !results.some((result) => 'error' in result && STILL_LOST.has(result.error.code));
  } catch {
    return false;
  }
}
