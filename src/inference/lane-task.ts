import type { MessagePort } from 'node:worker_threads';
import type { GraphManifest } from '../voices/manifest.js';
import type { DeviceSpec, Row, RowResult } from './binding.js';

/* What crosses the thread boundary of a lane. */

/** What a lane's thread is told when it starts. */
export interface LaneSetup {
  /** Path of the ONNX Runtime library. */
  libraryPath: string;
  device: DeviceSpec;
  /** Its number among all lanes. */
  lane: number;
}

export interface LaneVoice {
  directory: string;
  manifest: GraphManifest;
}

/** One batch, spoken whole. */
export interface BatchTask {
  kind: 'batch';
  voice: LaneVoice;
  rows: Row[];
}

/** Frames of a stream's first piece, and of the others. */
export interface StreamWindows {
  firstFrames: number;
  windowFrames: number;
}

/** One row, whose pieces go through `port` as they are made. */
export interface StreamTask extends StreamWindows {
  kind: 'stream';
  voice: LaneVoice;
  row: Row;
  port: MessagePort;
  /** Its one element turns 1 when nobody wants the rest. */
  cancelled: Int32Array;
}

/** A voice is loaded and speaks once, so that the first request finds it ready. */
export interface WarmTask {
  kind: 'warm';
  voice: LaneVoice;
  row: Row;
}

/** Nobody will ask this lane for the voice again. */
export interface ForgetTask {
  kind: 'forget';
  directory: string;
}

export type LaneTask = BatchTask | StreamTask | WarmTask | ForgetTask;

export interface LaneAnswer {
  /** Of a batch, in its order. */
  results: RowResult[];
  /** What the native call took. */
  seconds: number;
}

/** Through a stream's port: pieces, then one end. */
export type StreamMessage =
  | { samples: Float32Array }
  | { end: { durations: Int32Array | undefined; seconds: number } }
  | { error: { code: string; message: string } };
