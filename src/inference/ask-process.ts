import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a process has said before it ended, or how it ended without a word. */
export type Reply<Answer> = { answer: Answer } | { status: number | null; signal: NodeJS.Signals | null };

/**
 * Starts a program of ours that takes one order and gives one answer, and waits for its end. Throws `signal`'s reason,
 * after killing it.
 */
export async function askProcess<Answer>(
  file: string,
  order: object,
  { signal, timeout }: { signal?: AbortSignal | undefined; timeout?: number } = {},
): Promise<Reply<Answer>> {
  signal?.throwIfAborted();
  const child = fork(file, { serialization: 'advanced', ...(timeout === undefined ? {} : { timeout }) });
  const end = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  let reply: Reply<Answer> | undefined;
  child.once('message', (message) => (reply = { answer: message as Answer }));
  child.send(order, (error) => error && child.kill());
  try {
    const [status, ended] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    signal?.throwIfAborted();
    return reply ?? { status, signal: ended };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
