import type { MessagePort } from 'node:worker_threads';
import type { GraphManifest } from '../voices/manifest.js';
import type { DeviceSpec, Row, RowResult } from './binding.js';

/*
 * What crosses the thread boundary of a lane.
 *
 * A lane works in shifts. A shift is one Piscina task: the thread takes orders out of its mailbox, a message port that
 * lasts as long as the thread, until it finds none. Orders come in while it computes, so that between two of them it
 * waits for nobody.
 */

/** What a lane's thread is told when it starts. */
export interface LaneSetup {
  /** Path of the ONNX Runtime library. */
  libraryPath: string;
  device: DeviceSpec;
  /** Its number among all lanes. */
  lane: number;
  /** Most rows of one run of the graph; the addon's own default where it is absent. */
  rowsPerRun?: number;
  /** Lengths of vocoder windows, in frames; any where they are absent. */
  buckets?: number[];
}

export interface Shift {
  /** With the first shift of a thread. */
  mailbox?: MessagePort;
}

/** Into the mailbox. */
export interface LaneOrder {
  /** Answers carry it too. */
  number: number;
  /** A `Ticket`'s memory: a lane carries out only what it has begun by it. */
  ticket: Int32Array;
  work: Work;
}

export interface LaneVoice {
  directory: string;
  manifest: GraphManifest;
}

/** Some rows, spoken whole. */
export interface BatchWork {
  kind: 'batch';
  voice: LaneVoice;
  rows: Row[];
}

/** Frames of a stream's first piece, and of the others. */
export interface StreamWindows {
  firstFrames: number;
  windowFrames: number;
}

/** One row, whose pieces are sent as they are made, until the ticket is cancelled. */
export interface StreamWork extends StreamWindows {
  kind: 'stream';
  voice: LaneVoice;
  row: Row;
}

/** A voice is loaded and, if there is a row, speaks once, so that the first request finds it ready. */
export interface WarmWork {
  kind: 'warm';
  voice: LaneVoice;
  row?: Row;
}

/** Nobody will ask this lane for the voice again. */
export interface ForgetWork {
  kind: 'forget';
  directory: string;
}

/** Memory that earlier runs have taken and none needs now is given back. */
export interface ReleaseWork {
  kind: 'release';
}

export type Work = BatchWork | StreamWork | WarmWork | ForgetWork | ReleaseWork;

/** Out of the mailbox: pieces of a stream, then, as of everything, one answer. */
export type LaneMessage = { order: number; piece: Float32Array } | { order: number; answer: LaneAnswer };

export interface LaneAnswer {
  /** Of the rows, in their order. A streamed row's samples have all been sent before: it has none here. */
  results: RowResult[];
  /** When the lane began it, by the clock that all threads share. */
  began: number;
  /** What the native call took. */
  seconds: number;
  /** What the engine has to tell the operator, a sentence each. */
  notes: string[];
}
