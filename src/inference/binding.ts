import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { GraphManifest } from '../voices/manifest.js';

/*
 * The addon's whole contract on one page. Everything that crosses the border between JavaScript and C++ is named
 * here; nothing else of the addon can be seen. All calls are synchronous: they block the calling thread, which is a
 * Piscina worker (a lane), never the main thread, except for `openRuntime` and `mastering`.
 *
 * Failures are Errors with a stable `code`:
 *   runtime_not_found     the ONNX Runtime library is missing or too old         (context in the message)
 *   invalid_argument      a value of the wrong type, shape or range              (names the argument)
 *   model_not_found       no such file
 *   model_invalid         the file is no ONNX model, or not the one the manifest describes
 *   device_unavailable    the provider cannot be opened on this machine
 *   out_of_memory         host or device memory ran out
 *   device_lost           the device failed under a run; its sessions must be loaded again
 *   inference_failed      any other failure while running
 *   closed                the voice was closed
 */

/** Where sessions run. `cuda` options are ignored elsewhere. */
export type DeviceSpec =
  | {
      provider: 'cpu';
      intraOpThreads?: number;
      /** What CUDA's graphs need, rehearsed: runs of few shapes, always in the same memory. Nothing is faster by it. */
      graphs?: boolean;
    }
  | {
      provider: 'cuda';
      deviceId: number;
      /** Bytes the arena may take; 0 = no limit. */
      memoryLimit?: number;
      algorithmSearch?: 'heuristic' | 'exhaustive' | 'default';
      tf32?: boolean;
      /** What passes between host and vocoder does so through page-locked memory: default true. */
      pinned?: boolean;
      /**
       * Vocoder runs of a bucket's length are recorded once a shape and replayed after that. Where the device refuses,
       * they run as ever, and `takeNotes` says why. Such a vocoder's memory is not given back.
       */
      graphs?: boolean;
      /** All stages before the vocoder run on one thread of the CPU. */
      encoderOnCpu?: boolean;
      /** Options of ONNX Runtime's provider, by its own names, over those that the engine sets. */
      providerOptions?: Record<string, string>;
      /** Vocoders that have one run in half precision; it is the lane that chooses the stages by this. */
      halfPrecision?: boolean;
    }
  /** Its voices, all of a process together, may be used by one thread at a time; the only device is 0. */
  | { provider: 'webgpu'; deviceId?: number };

export interface LoadRequest {
  /** Folder that holds the files which `manifest.stages[].file` names. */
  directory: string;
  manifest: GraphManifest;
  device: DeviceSpec;
  /**
   * Voices loaded with an equal directory, manifest, device and lane share one set of sessions in this process. On
   * the CPU the lane does not count: one set serves any number of threads at once.
   */
  lane?: number;
  /**
   * Most rows that one run of the graph takes; more rows are several runs. Default 1 on the CPU, where batching gains
   * nothing, unlimited elsewhere. Voices that are not batchable take one row a run whatever it says.
   */
  rowsPerRun?: number;
  /**
   * The only lengths, in frames, of the windows that go through the vocoder, but for rows that are shorter than all of
   * them: a device that prepares itself for every shape it meets then meets few. Lengths that are mostly margin, or
   * that memory has been found not to suffice for, are left out. Default: whatever fits the rows best.
   */
  buckets?: number[];
  /** Seconds, 60 by default, for which memory must have sufficed before runs that it did not suffice for grow again. */
  memoryPatience?: number;
}

/** One utterance segment. Rows of a batch are independent of each other: each gives the same samples as alone. */
export interface Row {
  /** Ids as the voice's map gives them, at least one, each in [0, manifest.numSymbols). */
  ids: Int32Array;
  /** Multiplies every duration: 1 = as trained, 2 = half the speed. In [0.001, 10]. */
  lengthScale: number;
  /** Standard deviation of the prior's noise. In [0, 10]. */
  noiseScale: number;
  /** Standard deviation of the duration predictor's noise. In [0, 10]. */
  noiseW: number;
  /** Row of the speaker table; ignored by voices of one speaker. */
  speaker: number;
  /** Seeds both noises: equal rows with equal seeds give equal samples, whatever stands beside them. 0 … 2^53-1. */
  seed: number;
}

export interface RowAudio {
  /** Mono, in [-1, 1] as the graph gave them (not levelled), cut exactly by the durations. */
  samples: Float32Array;
  /** Frames (of `manifest.hop` samples) of each id; absent when the graph does not tell them. */
  durations?: Int32Array;
}

/** A failed row fails alone: the others of its batch still carry audio. */
export type RowResult = RowAudio | { error: { code: string; message: string } };

/** The sessions that the row was run by are gone: they must be loaded again. */
export function isDeviceLost(result: RowResult): boolean {
  return 'error' in result && result.error.code === 'device_lost';
}

export interface AddonStream {
  /** The next samples of the row, in order, or null at the end. The pieces joined equal `synthesize`'s samples. */
  next(): Float32Array | null;
  /** Known after the first `next()`. */
  durations(): Int32Array | null;
  /** Total samples that the row will have; 0 before the first `next()`. */
  total(): number;
  close(): void;
}

export interface VoiceInfo {
  /** Where it really runs: `cpu`, `cuda` or `webgpu`. */
  provider: string;
  stages: number;
  /** Loads of it in this process that are not closed. */
  users: number;
  /** Most rows of a run, and frames of a vocoder window, that memory is believed to suffice for. */
  rowsPerRun: number;
  longestWindow: number;
  /** Runs of several rows that failed and were repeated by halves; many mean that the voice is not batchable. */
  repeatedRuns: number;
  loadMilliseconds: number;
}

export interface AddonVoice {
  synthesize(rows: Row[]): RowResult[];
  /**
   * Gives a row's audio piece by piece while the vocoder works, `windowFrames` at a time (first piece: `firstFrames`).
   * Voices without a vocoder stage give it in one piece.
   */
  stream(row: Row, windows: { firstFrames: number; windowFrames: number }): AddonStream;
  info(): VoiceInfo;
  /** Sentences for the operator, each told once: what was asked for and could not be had, and what came instead. */
  takeNotes(): string[];
  /** Gives back the memory that earlier runs have taken and none needs now. */
  release(): void;
  /** Frees this thread's use; the sessions go with the last user. Calling it twice is harmless. */
  close(): void;
}

export interface MasteringOptions {
  /** Hz. */
  inputRate: number;
  outputRate: number;
  /** Linear factor for every sample, applied before limiting. */
  gain: number;
  /** Linear share of full scale that the limiter lets no sample exceed. */
  ceiling: number;
}

/** One stream of mono samples: gain, look-ahead limiter, sample rate conversion, 16-bit little-endian PCM. */
export interface AddonMastering {
  /** Output for the samples so far that no later input can change. */
  process(samples: Float32Array): Buffer;
  /** The rest. In all, exactly round(input samples × outputRate ÷ inputRate) samples come out. */
  finish(): Buffer;
}

export interface Addon {
  /**
   * Opens the library once per process; later calls must name the same path. The runtime's own log goes to stderr;
   * it is silent by default, since every failure comes back as an error.
   */
  openRuntime(options: { libraryPath: string; logLevel?: 'silent' | 'warning' | 'error' }): {
    version: string;
    providers: string[];
  };
  load(request: LoadRequest): AddonVoice;
  mastering(options: MasteringOptions): AddonMastering;
}

/** Where `npm run build` leaves the addon. */
export const ADDON_FILE = fileURLToPath(new URL('../../../build/Release/lantang.node', import.meta.url));

/** Throws Node's own error when it is not built. */
export function loadAddon(): Addon {
  return createRequire(import.meta.url)(ADDON_FILE) as Addon;
}
