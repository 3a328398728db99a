/** Pieces of audio on their way from a lane to whoever reads them, once. */
export class PieceQueue implements AsyncIterable<Float32Array> {
  readonly #pieces: Float32Array[] = [];
  readonly #abandon = new AbortController();
  #state: { kind: 'open' } | { kind: 'ended' } | { kind: 'failed'; reason: Error } = { kind: 'open' };
  #wake: () => void = () => {};
  /** True once a piece has come. */
  begun = false;

  /** Aborts when the reader stops early. */
  get abandoned(): AbortSignal {
    return this.#abandon.signal;
  }

  push(samples: Float32Array): void {
    this.begun = true;
    this.#pieces.push(samples);
    this.#wake();
  }

  end(): void {
    this.#close({ kind: 'ended' });
  }

  /** The reader is told after the pieces that came before; without effect after the end. */
  fail(reason: Error): void {
    this.#close({ kind: 'failed', reason });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Float32Array> {
    try {
      for (;;) {
        for (let piece = this.#pieces.shift(); piece; piece = this.#pieces.shift()) yield piece;
        const state = this.#state;
        if (state.kind === 'failed') throw state.reason;
        if (state.kind === 'ended') return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#abandon.abort();
    }
  }

  #close(state: { kind: 'ended' } | { kind: 'failed'; reason: Error }): void {
    if (this.#state.kind !== 'open') return;
    this.#state = state;
    this.#wake();
  }
}
