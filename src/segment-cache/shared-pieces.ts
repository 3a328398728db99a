/** Pieces of audio as they come, for any number of readers, each of whom hears all of them from the first. */
export class SharedPieces {
  readonly all: Float32Array[] = [];
  readonly #sleepers = new Set<() => void>();
  #end: { failure?: unknown } | undefined;

  push(samples: Float32Array): void {
    this.all.push(samples);
    this.#wakeAll();
  }

  end(): void {
    this.#close({});
  }

  /** Readers are told after the pieces that came before. */
  fail(failure: unknown): void {
    this.#close({ failure });
  }

  /** Ends with `fail`'s reason, or with the signal's as soon as it aborts. */
  async *read(signal: AbortSignal | undefined): AsyncGenerator<Float32Array> {
    for (let at = 0; ;) {
      signal?.throwIfAborted();
      if (at < this.all.length) yield this.all[at++]!;
      else if (!this.#end) await this.#change(signal);
      else if ('failure' in this.#end) throw this.#end.failure;
      else return;
    }
  }

  #close(end: { failure?: unknown }): void {
    this.#end ??= end;
    this.#wakeAll();
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }

  #wakeAll(): void {
    for (const wake of this.#sleepers) wake();
  }
}
