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
  /** As `ffmpeg -version` gives it, e.g. `7.1.1`; absent where ffmpeg cannot be started. */
  version?: string;
  /** Names of the audio encoders. */
  encoders: string[];
  /** Whether pitch can be shifted. */
  rubberband: boolean;
}

/** Given to the helper process as its only argument, as JSON. */
export interface HelperOptions {
  scratchDirectory: string;
  ffmpegPath: string;
}

/** The helper's one message: it listens. */
export interface HelperReady {
  socketPath: string;
  capabilities: FfmpegCapabilities;
}

/** What to tell a person who lacks ffmpeg or one of its parts. */
export const INSTALL_FFMPEG =
  'Install the full ffmpeg on the server (Debian and Ubuntu: apt-get install ffmpeg; macOS: brew install ffmpeg) and start the service again.';
