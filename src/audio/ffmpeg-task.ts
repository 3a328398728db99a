/** One run of ffmpeg: raw bytes in by stdin, the result out by stdout or, where ffmpeg must seek in it, by a file. */
export interface FfmpegTask {
  /** Options of the input. */
  input: string[];
  /** Options of the output, the filter included. */
  output: string[];
  /** True: written to a scratch file, which is sent when it is finished. */
  seekable: boolean;
}

/** What the helper process found on this machine. */
export interface FfmpegCapabilities {
  /** As `ffmpeg -version` gives it, e.g. `7.1.1`; absent where ffmpeg does not work. */
  version?: string;
  /** Why it does not, to complete a sentence: `it does not answer`. */
  trouble?: string;
  /** Names of the audio encoders. */
  encoders: string[];
  /** Whether pitch can be shifted. */
  rubberband: boolean;
}

/** Given to the helper process as its only argument, as JSON. */
export interface HelperOptions {
  scratchDirectory: string;
  ffmpegPath: string;
  /** Seconds that a program may stand still while it has something to do. */
  patience: number;
  /** Most ffmpegs that are started ahead of their use; 0 starts none. */
  spares: number;
}

/** What the helper process says to the one that forked it. */
export type HelperNews =
  | { kind: 'listening'; socketPath: string }
  | { kind: 'capabilities'; capabilities: FfmpegCapabilities }
  | { kind: 'alive' };

/** What it is asked and told. */
export type HelperOrder = { kind: 'alive?' } | { kind: 'capabilities?' } | { kind: 'spares'; most: number };

/** Why ffmpeg lacks something, to complete "…, but". */
export function whyLacking({ version, trouble }: FfmpegCapabilities): string {
  return trouble ?? `ffmpeg ${version} was built without it`;
}

/** What to tell a person who lacks ffmpeg or one of its parts. */
export const INSTALL_FFMPEG =
  'Install the full ffmpeg on the server (Debian and Ubuntu: apt-get install ffmpeg; macOS: brew install ffmpeg), or name its path in LANTANG_FFMPEG.';
