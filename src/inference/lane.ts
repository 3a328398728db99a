import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Voice } from '../voices/voice.js';
import type { Row } from './binding.js';
import type {
  LaneAnswer,
  LaneSetup,
  LaneTask,
  LaneVoice,
  StreamMessage,
  StreamWindows,
} from './lane-task.js';

const WORKER = fileURLToPath(new URL('./lane-worker.js', import.meta.url));

/** A worker thread bound to a device: a Piscina pool of one, which also replaces the thread should it die. */
export class Lane {
  readonly #pool: Piscina<LaneTask, LaneAnswer>;
  busy = false;

  constructor(readonly setup: LaneSetup) {
    this.#pool = new Piscina<LaneTask, LaneAnswer>({
      filename: WORKER,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Infinity,
      workerData: setup,
      recordTiming: false,
    });
    // Every failure also reaches the task that it hit, or the next one.
    this.#pool.on('error', () => {});
  }

  /** Speaks a batch; each row has its own result. Rejects only when the thread itself fails. */
  speak(voice: Voice, rows: Row[]): Promise<LaneAnswer> {
    return this.#pool.run({ kind: 'batch', voice: laneVoice(voice), rows });
  }

  warm(voice: Voice, row: Row): Promise<LaneAnswer> {
    return this.#pool.run({ kind: 'warm', voice: laneVoice(voice), row });
  }

  async forget({ directory }: Voice): Promise<void> {
    await this.#pool.run({ kind: 'forget', directory });
  }

  /** Speaks one row piece by piece. Resolves when the lane is free again, whatever became of the row. */
  async stream(
    voice: Voice,
    row: Row,
    windows: StreamWindows,
    { signal, receive }: { signal: AbortSignal; receive: (message: StreamMessage) => void },
  ): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    const cancel = () => Atomics.store(cancelled, 0, 1);
    signal.addEventListener('abort', cancel, { once: true });
    // The last message is the sign, not the port's closing: a thread that waits for its next task closes nothing.
    const ended = new Promise<void>((resolve) => {
      port1.on('message', (message: StreamMessage) => {
        receive(message);
        if (!('samples' in message)) resolve();
      });
    });
    try {
      const task: LaneTask = {
        kind: 'stream',
        voice: laneVoice(voice),
        row,
        ...windows,
        port: port2,
        cancelled,
      };
      await this.#pool.run(task, { transferList: [port2] });
      await ended;
    } finally {
      signal.removeEventListener('abort', cancel);
      port1.close();
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

function laneVoice({ directory, manifest }: Voice): LaneVoice {
  return { directory, manifest };
}
