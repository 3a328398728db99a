import type { Shifter } from '../audio/pitch.js';

/** The samples through a pitch filter, which wants to be read while it is written. */
export async function* shifted(
  pieces: AsyncIterable<Float32Array>,
  shifter: Shifter,
): AsyncGenerator<Float32Array> {
  const written = writeAll(pieces, shifter);
  written.catch(() => shifter.abort());
  try {
    yield* shifter.samples;
    await written;
  } finally {
    shifter.abort();
  }
}

async function writeAll(pieces: AsyncIterable<Float32Array>, shifter: Shifter): Promise<void> {
  for await (const samples of pieces) await shifter.write(samples);
  shifter.end();
}
