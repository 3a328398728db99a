import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Resolves when a stream whose buffer is full takes more, or when it has closed: look at `destroyed` afterwards. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.destroyed) return;
  const settled = new AbortController();
  const { signal } = settled;
  const events = [once(stream, 'drain', { signal }), once(stream, 'close', { signal })];
  // An error closes the stream, which the caller sees.
  await Promise.race(events).catch(() => {});
  for (const event of events) event.catch(() => {});
  settled.abort();
}
