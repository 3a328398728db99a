import type { Voice } from '../voices/voice.js';
import type { Row, RowAudio } from './binding.js';
import type { StreamWindows } from './lane-task.js';

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

/** Speaks rows: the lanes, or what stands before them. */
export interface RowSpeaker {
  /** Resolves with the row's samples. Rejects with the row's own failure, or `signal`'s reason. */
  synthesize(voice: Voice, row: Row, options: SynthesisOptions): Promise<SpokenRow>;
  /** The row's samples in pieces, as they are made. */
  stream(voice: Voice, row: Row, windows: StreamWindows, options: SynthesisOptions): RowStream;
}
