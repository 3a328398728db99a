import { connect, type Socket } from 'node:net';
import { LantangError } from '../errors.js';
import { drained } from './drained.js';
import type { FfmpegCapabilities, FfmpegTask } from './ffmpeg-task.js';
import { frame, frameHeader, FrameReader, FrameType, payloads } from './frames.js';

/** What starts ffmpeg: the helper process. */
export interface FfmpegRunner {
  /** For files in the making. */
  readonly scratchDirectory: string;
  capabilities(): FfmpegCapabilities;
  /** Has somebody look whether that has changed. */
  lookAgain(): void;
  record(task: FfmpegTask): Recording;
}

/** The main process's side of one ffmpeg run in the helper: raw audio in, ffmpeg's output out. */
export class Recording {
  readonly #socket: Promise<Socket>;
  #failure: LantangError | undefined;

  /** Connects when the helper listens; what is written before waits for it. */
  constructor(socketPath: Promise<string>, task: FfmpegTask) {
    this.#socket = socketPath.then((path) => this.#connect(path, task));
    this.#socket.catch(() => {});
  }

  /** Resolves when more may be written. */
  async write(bytes: Uint8Array): Promise<void> {
    const socket = await this.#connected();
    let room = true;
    socket.cork();
    for (const payload of payloads(bytes)) {
      socket.write(frameHeader(FrameType.data, payload.length));
      room = socket.write(payload);
    }
    socket.uncork();
    if (!room) await drained(socket);
    if (socket.destroyed) throw this.#fail('the connection closed');
  }

  /** No more bytes follow those of the calls of `write` before, awaited or not. */
  end(): void {
    // Waits the same way as write does, so that it comes after.
    this.#connected().then(
      (socket) => socket.write(frame(FrameType.end)),
      () => {},
    );
  }

  /** ffmpeg's output; throws `encoding_failed` unless it is complete. May be read once. */
  async *output(): AsyncGenerator<Buffer> {
    const socket = await this.#connected();
    const reader = new FrameReader();
    try {
      for await (const bytes of socket) {
        for (const { type, payload } of reader.read(bytes as Buffer)) {
          if (type === FrameType.end) return;
          if (type === FrameType.failure) throw this.#fail(payload.toString());
          yield payload;
        }
      }
    } catch (error) {
      throw this.#fail(error);
    } finally {
      socket.destroy();
    }
    throw this.#fail('the helper ended');
  }

  abort(): void {
    this.#failure ??= new LantangError('aborted', 'The recording was aborted before it was complete.');
    this.#socket.then(
      (socket) => socket.destroy(),
      () => {},
    );
  }

  async #connected(): Promise<Socket> {
    if (this.#failure) throw this.#failure;
    const socket = await this.#socket.catch((error: unknown) => {
      throw this.#fail(error);
    });
    if (socket.destroyed) throw this.#fail('the connection closed');
    return socket;
  }

  #connect(path: string, task: FfmpegTask): Socket {
    const socket = connect(path);
    socket.on('error', (error) => this.#fail(error));
    if (this.#failure) return socket.destroy();
    socket.write(frame(FrameType.task, JSON.stringify(task)));
    return socket;
  }

  /** The first reason stands. */
  #fail(reason: unknown): LantangError {
    this.#failure ??= new LantangError(
      'encoding_failed',
      'The audio could not be encoded: ffmpeg stopped before the recording was complete. Trying again may help.',
      { retryable: true, cause: reason },
    );
    return this.#failure;
  }
}
