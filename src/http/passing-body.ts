import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** What is let pass by of a body that nobody wants. A sender that goes on for longer is cut off. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_MILLISECONDS = 2000;

/** Takes in what comes of a body, up to a bound, without keeping it; resolves when no more will come. */
export function letPass(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let taken = 0;
    const timer = setTimeout(resolve, MOST_MILLISECONDS);
    request.on('data', (piece: Buffer) => {
      if ((taken += piece.length) > MOST_BYTES) resolve();
    });
    request.once('end', resolve).once('close', resolve).resume();
    request.once('close', () => clearTimeout(timer));
  });
}

/**
 * A whole answer that keeps its connection open until a body has passed: closing before that would reset it, and the
 * sender might never read the answer (RFC 9112, 9.6).
 */
export function answerBeside(passing: Promise<void>, answer: Buffer): Readable {
  async function* held(): AsyncGenerator<Buffer> {
    yield answer;
    await passing;
  }
  return Readable.from(held(), { objectMode: false });
}
