/*
 * The helper process: starts ffmpeg for the main process, which is too large to start programs without blocking its
 * event loop. Forked by EncoderProcess before any model is loaded; listens on a Unix socket, one connection per
 * recording (frames.ts). It lives exactly as long as the IPC channel to its parent, so it also ends when the parent is
 * killed, and with it every ffmpeg and every scratch file.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ffmpeg from 'fluent-ffmpeg';
import { serveRecording } from './ffmpeg-connection.js';
import type { FfmpegCapabilities, HelperOptions, HelperReady } from './ffmpeg-task.js';

const options = JSON.parse(process.argv[2]!) as HelperOptions;
const scratch = join(options.scratchDirectory, `encoder-${process.pid}`);
const stopped = new AbortController();
let recordings = 0;

sweep(options.scratchDirectory);
mkdirSync(scratch, { recursive: true });
// Not in the scratch directory: the path of a socket may have no more than about 100 bytes.
const socketDirectory = mkdtempSync(join(tmpdir(), 'lantang-'));
process.once('exit', () => {
  for (const directory of [scratch, socketDirectory]) rmSync(directory, { recursive: true, force: true });
});
process.once('disconnect', stop);
// A signal to the whole group (Ctrl-C, a service manager) is for the parent, which may still have work to finish.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

ffmpeg().setFfmpegPath(options.ffmpegPath);
const capabilities = await examine(options.ffmpegPath);
const socketPath = join(socketDirectory, 'encoder.sock');
const server = createServer({ allowHalfOpen: true }, (socket) => {
  serveRecording(socket, { scratchFile: join(scratch, `${recordings++}`), stopped: stopped.signal });
});
server.listen(socketPath, () => process.send?.({ socketPath, capabilities } satisfies HelperReady));

function stop(): void {
  stopped.abort();
  // After the handlers of the abort, which kill every ffmpeg.
  setImmediate(() => process.exit(0));
}

/** Removes what a helper that was killed left behind. */
function sweep(directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(directory)) {
    const pid = /^encoder-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Also fills fluent-ffmpeg's own memory of what ffmpeg can do, which it otherwise asks before its first run. */
async function examine(path: string): Promise<FfmpegCapabilities> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-hide_banner', '-version']);
    const [, encoders, filters] = await Promise.all([
      promisify(ffmpeg.getAvailableFormats)(),
      promisify(ffmpeg.getAvailableEncoders)(),
      promisify(ffmpeg.getAvailableFilters)(),
    ]);
    return {
      version: /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? 'unknown',
      encoders: Object.keys(encoders).filter((name) => encoders[name]?.type === 'audio'),
      rubberband: 'rubberband' in filters,
    };
  } catch {
    return { encoders: [], rubberband: false };
  }
}
