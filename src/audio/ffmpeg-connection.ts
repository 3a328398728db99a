import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { runFfmpeg } from './ffmpeg-run.js';
import type { FfmpegTask } from './ffmpeg-task.js';
import { frame, FrameReader, FrameType, payloads, type Frame } from './frames.js';

export interface RecordingOptions {
  /** A path not yet taken, for a result that ffmpeg must seek in. */
  scratchFile: string;
  /** Aborted when the helper ends. */
  stopped: AbortSignal;
}

/** The helper's side of one recording: reads its task and its audio, runs ffmpeg, answers with what ffmpeg makes. */
export function serveRecording(socket: Socket, { scratchFile, stopped }: RecordingOptions): void {
  const input = new PassThrough();
  const reader = new FrameReader();
  const aborted = new AbortController();
  const signal = AbortSignal.any([stopped, aborted.signal]);
  let complete = false;

  const take = ({ type, payload }: Frame) => {
    if (type === FrameType.task) void run(JSON.parse(payload.toString()) as FfmpegTask);
    if (type === FrameType.data && !input.destroyed && !input.write(payload)) socket.pause();
    if (type === FrameType.end) {
      complete = true;
      input.end();
    }
  };
  const run = async (task: FfmpegTask) => {
    try {
      await runFfmpeg(task, input, (bytes) => send(socket, bytes), { scratchFile, signal });
      socket.end(frame(FrameType.end));
    } catch (error) {
      // Whoever still writes must be able to go on until he reads why it was for nothing.
      input.destroy();
      socket.resume();
      socket.end(frame(FrameType.failure, (error as Error).message.slice(0, 2000)));
    }
  };

  input.on('error', () => aborted.abort());
  input.on('drain', () => socket.resume());
  socket.on('data', (bytes) => {
    for (const next of reader.read(bytes)) take(next);
  });
  socket.on('end', () => complete || aborted.abort());
  socket.on('error', () => aborted.abort());
  socket.on('close', () => aborted.abort());
}

/** Resolves when the bytes have left. */
async function send(socket: Socket, bytes: Buffer): Promise<void> {
  for (const payload of payloads(bytes)) {
    await new Promise<void>((resolve, reject) =>
      socket.write(frame(FrameType.data, payload), (error) => (error ? reject(error) : resolve())),
    );
  }
}
