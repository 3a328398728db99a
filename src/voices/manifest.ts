/**
 * What `prepare` found in a voice's graph and made of it: the data flow that the native engine runs.
 *
 * A prepared voice is a short pipeline of ONNX files. The engine keeps a table of named tensors: it starts with the
 * inputs below, runs the stages in order, each taking its inputs from the table by name and adding its outputs to it
 * (they stay on the device), and ends with `tensors.audio`.
 *
 * Stages of a Piper (VITS) voice:
 *   encoder   ids, lengths, scales, speaker, noise → durations and the prior's mean and log deviation
 *   acoustic  those and the prior's noise → the latent, [rows, channels, frames]
 *   vocoder   latent → audio
 * The frame count is known after the encoder, which is what lets the prior's noise be an input.
 */
export interface GraphManifest {
  /** Version of the preparation; another one means: prepare again. */
  version: number;
  /** SHA-256 of the published .onnx file, hex. */
  sourceSha256: string;
  sampleRate: number;
  /** Samples per frame. */
  hop: number;
  numSymbols: number;
  numSpeakers: number;
  /** Most ids that a row may have. */
  maxIds: number;
  stages: StageFile[];
  /** What a CPU runs instead, where preparing found something that is faster there. */
  cpuStages?: StageFile[];
  /** What a GPU runs instead where it is to compute in half precision; only of vocoders that this does not harm. */
  halfStages?: StageFile[];
  tensors: {
    /** int64 [rows, ids], padded with 0. */
    ids: string;
    /** int64 [rows]. */
    lengths: string;
    /** float32: noise, length, noise_w. [3, rows, 1, 1] when `perRowScales`, else [3]. */
    scales: string;
    /** int64 [rows], or null in a voice of one speaker. */
    speaker: string | null;
    /** float32 [rows, 1, ids], frames of every id; null when the graph does not tell them. */
    durations: string | null;
    /** float32 [rows, channels, frames], the vocoder's input that may be cut into windows; null when not split. */
    latent: string | null;
    /** float32 [rows, 1, 1, samples] or [rows, 1, samples]. */
    audio: string;
  };
  /** float32 [rows, channels, length] of normal deviates; the engine makes them from each row's seed. */
  noise: { name: string; channels: number; length: 'ids' | 'frames' }[];
  perRowScales: boolean;
  /** Frames to each side that the vocoder looks at, rounded up generously; only with `tensors.latent`. */
  vocoderReach: number;
  /** False: every row runs alone. */
  batchable: boolean;
  /** What a graph that did not match as a whole had to give up, a sentence each; empty for a full match. */
  lost: string[];
  /** Which rewritings were applied, and largest difference to the published graph, for `doctor` and the cards. */
  rewrites: string[];
  /** Rewritings that were left out, since they were measured and made nothing faster on this machine. */
  omitted?: string[];
}

export interface StageFile {
  file: string;
  inputs: string[];
  outputs: string[];
}

/** What of a device decides which stages suit it. */
export interface DeviceTraits {
  halfPrecision?: boolean | undefined;
  /** Stages before the vocoder run on the CPU. */
  encoderOnCpu?: boolean | undefined;
}

/** The manifest as an engine on that device is to run it: with the stages that suit it best. */
export function manifestOn(
  provider: string,
  manifest: GraphManifest,
  { halfPrecision = false, encoderOnCpu = false }: DeviceTraits = {},
): GraphManifest {
  const { cpuStages, halfStages, tensors } = manifest;
  const suited = provider === 'cpu' ? cpuStages : halfPrecision ? halfStages : undefined;
  const stages = suited ?? manifest.stages;
  if (!encoderOnCpu || !cpuStages || tensors.latent === null) return { ...manifest, stages };
  return { ...manifest, stages: [...cpuStages.slice(0, -1), stages.at(-1)!] };
}
