import type { Socket } from 'node:net';
import type { FfmpegRun } from './ffmpeg-run.js';
import type { FfmpegTask } from './ffmpeg-task.js';
import { frame, FrameReader, FrameType, payloads, type Frame } from './frames.js';

/** Where runs come from. */
export interface Runs {
  take(task: FfmpegTask): FfmpegRun;
  /** Called when the machine has time for a run that may be wanted next. */
  keep(task: FfmpegTask): void;
  /** Called when one failed that nobody had aborted. */
  failed(): void;
}

/** The helper's side of one recording: reads its task and its audio, runs ffmpeg, answers with what ffmpeg makes. */
export function serveRecording(socket: Socket, runs: Runs): void {
  const reader = new FrameReader();
  let recording: ServedRecording | undefined;
  const take = ({ type, payload }: Frame) => {
    if (type === FrameType.task)
      recording = new ServedRecording(socket, runs, JSON.parse(payload.toString()) as FfmpegTask);
    if (type === FrameType.data) recording?.write(payload);
    if (type === FrameType.end) recording?.end();
  };
  socket.on('data', (bytes) => {
    for (const next of reader.read(bytes)) take(next);
  });
  socket.on('end', () => {
    // Half-open sockets stay until this side ends too, and one that was given up before its task has nobody to end it.
    if (!recording) socket.end();
    else if (!recording.isComplete) recording.abort();
  });
  socket.on('error', () => recording?.abort());
  socket.on('close', () => recording?.abort());
}

class ServedRecording {
  isComplete = false;
  readonly #run: FfmpegRun;
  #aborted = false;
  #keeps = false;

  constructor(
    private readonly socket: Socket,
    private readonly runs: Runs,
    private readonly task: FfmpegTask,
  ) {
    this.#run = runs.take(task);
    this.#run.input.on('drain', () => socket.resume());
    void this.#serve();
  }

  write(payload: Buffer): void {
    const { input } = this.#run;
    if (!input.destroyed && !input.write(payload)) this.socket.pause();
  }

  end(): void {
    this.isComplete = true;
    this.#run.input.end();
    this.#keep();
  }

  abort(): void {
    this.#aborted = true;
    this.#run.kill(new Error('The recording was aborted.'));
  }

  /** Once the first bytes or all of the audio are there: until then every moment of the processor is waited for. */
  #keep(): void {
    if (!this.#keeps) this.runs.keep(this.task);
    this.#keeps = true;
  }

  async #serve(): Promise<void> {
    const { socket } = this;
    try {
      await this.#run.deliver((bytes) => {
        this.#keep();
        return send(socket, bytes);
      });
      socket.end(frame(FrameType.end));
    } catch (error) {
      // Whoever still writes must be able to go on until he reads why it was for nothing.
      this.#run.input.destroy();
      socket.resume();
      socket.end(frame(FrameType.failure, (error as Error).message.slice(0, 2000)));
      if (!this.#aborted) this.runs.failed();
    }
  }
}

/** Resolves when the bytes have left. */
async function send(socket: Socket, bytes: Buffer): Promise<void> {
  for (const payload of payloads(bytes)) {
    await new Promise<void>((resolve, reject) =>
      socket.write(frame(FrameType.data, payload), (error) => (error ? reject(error) : resolve())),
    );
  }
}
