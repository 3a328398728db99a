/*
 * The helper process: starts ffmpeg for the main process, which is too large to start programs without blocking its
 * event loop. Forked by EncoderProcess before any model is loaded; listens on a Unix socket, one connection per
 * recording (frames.ts). It lives exactly as long as the IPC channel to its parent, so it also ends when the parent is
 * killed, and with it every ffmpeg and every scratch file.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import ffmpeg from 'fluent-ffmpeg';
import { serveRecording } from './ffmpeg-connection.js';
import { examineFfmpeg } from './ffmpeg-probe.js';
import { FfmpegRun } from './ffmpeg-run.js';
import type { FfmpegTask, HelperNews, HelperOptions, HelperOrder } from './ffmpeg-task.js';
import { makeScratch, makeSocketPath, sweepSocketDirectories } from './leftovers.js';
import { killGroup } from './process-tree.js';
import { Spares } from './spares.js';

/** Seconds in which an ffmpeg that works tells what it can do. */
const LONGEST_LOOK = 5;
/** Seconds between two looks at an ffmpeg that does not work, and at one that only lacks something. */
const LOOK_AGAIN_AFTER = 3;
const LOOK_FOR_MORE_AFTER = 60;

const options = JSON.parse(process.argv[2]!) as HelperOptions;
const { scratchDirectory, ffmpegPath, patience } = options;
const scratch = makeScratch(scratchDirectory);
const socketPath = makeSocketPath();
let runs = 0;
let works = false;
let lookedAt = -Infinity;

process.once('disconnect', end);
// A signal to the whole group (Ctrl-C, a service manager) is for the parent, which may still have work to finish.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (order: HelperOrder) => {
  if (order.kind === 'alive?') tell({ kind: 'alive' });
  if (order.kind === 'capabilities?') void look(works ? LOOK_FOR_MORE_AFTER : LOOK_AGAIN_AFTER);
  if (order.kind === 'spares') spares.most = order.most;
});

ffmpeg().setFfmpegPath(ffmpegPath);
const spares = new Spares(startRun, options.spares, { yieldAfter: 30, endAfter: 300 });
const server = createServer({ allowHalfOpen: true }, (socket) =>
  serveRecording(socket, {
    take: (task) => spares.take(task),
    keep: (task) => spares.keep(task),
    failed: () => {
      spares.endAll();
      void look(LOOK_AGAIN_AFTER);
    },
  }),
);
server.listen(socketPath, () => tell({ kind: 'listening', socketPath }));
await look(0);
await sweepSocketDirectories();

function startRun(task: FfmpegTask): FfmpegRun {
  return new FfmpegRun(task, { scratchFile: join(scratch, `${runs++}`), patience });
}

/** Tells what ffmpeg can do, unless somebody looked less than `rest` seconds ago. */
async function look(rest: number): Promise<void> {
  if (performance.now() - lookedAt < rest * 1000) return;
  lookedAt = performance.now();
  const capabilities = await examineFfmpeg(ffmpegPath, Math.min(patience, LONGEST_LOOK));
  works = capabilities.trouble === undefined;
  tell({ kind: 'capabilities', capabilities });
}

function tell(news: HelperNews): void {
  if (process.connected) process.send?.(news, () => {});
}

/** Of everything that it has started nothing outlives it. */
function end(): void {
  for (const directory of [scratch, dirname(socketPath)]) rmSync(directory, { recursive: true, force: true });
  killGroup(process.pid);
  process.exit(0);
}
