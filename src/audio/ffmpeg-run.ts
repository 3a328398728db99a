import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ffmpeg from 'fluent-ffmpeg';
import type { FfmpegTask } from './ffmpeg-task.js';

/** Takes ffmpeg's output in order; resolves when more may come. */
export type Deliver = (bytes: Buffer) => Promise<void>;

/**
 * Runs ffmpeg once. Resolves when all of its output has been delivered; rejects when it fails or is killed by
 * `signal`. In each case no process and no scratch file is left.
 */
export async function runFfmpeg(
  task: FfmpegTask,
  input: Readable,
  deliver: Deliver,
  { scratchFile, signal }: { scratchFile: string; signal: AbortSignal },
): Promise<void> {
  if (!task.seekable) return runInto(task, input, sink(deliver), signal);
  try {
    await runInto(task, input, scratchFile, signal);
    await pipeline(createReadStream(scratchFile), sink(deliver), { signal });
  } finally {
    await rm(scratchFile, { force: true });
  }
}

async function runInto(
  task: FfmpegTask,
  input: Readable,
  target: Writable | string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const command = ffmpeg(input)
    .inputOptions(['-hide_banner', '-loglevel', 'error', ...task.input])
    .outputOptions(task.output)
    .output(target);
  // ffmpeg is started a few turns of the event loop after run(); before that there is nothing to kill.
  const kill = () => command.kill('SIGKILL');
  command.once('start', () => {
    if (signal.aborted) kill();
    else signal.addEventListener('abort', kill);
  });
  // The process may end before its output has been read to the end, so both are waited for.
  const delivered = typeof target === 'string' ? undefined : once(target, 'finish', { signal });
  delivered?.catch(() => {});
  try {
    const ended = once(command, 'end');
    command.run();
    await ended;
    await delivered;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

/**
 * Never emits `close`: fluent-ffmpeg kills ffmpeg 20 ms after its output has closed, though all went well and the
 * machine was merely too busy to notice that ffmpeg had ended.
 */
function sink(deliver: Deliver): Writable {
  return new Writable({
    emitClose: false,
    write: (chunk: Buffer, _encoding, done) => void deliver(chunk).then(() => done(), done),
  });
}
