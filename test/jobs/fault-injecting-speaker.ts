import type { Speaker, SpeakOptions, Speech, SpeechRequest, SpeechResult } from '../../src/speech/speech.js';

/** What happens while a text is spoken: nothing, a wait, or a failure. */
export type Injection = (text: string, options: SpeakOptions) => Promise<void> | void;

/** Stands where the speech room stands, to fail and to dawdle at will. Its audio is the text itself, twice. */
export class FaultInjectingSpeaker implements Speaker {
  readonly begun: { text: string; model: string; priority: string; user: string }[] = [];
  inject: Injection = () => undefined;

  speak(request: SpeechRequest, options: SpeakOptions): Speech {
    const text = request.input.content;
    this.begun.push({ text, model: request.model, priority: options.priority, user: options.user });
    const injected = Promise.resolve().then(() => this.inject(text, options));
    return {
      bytes: this.#bytes(text, injected),
      result: injected.then(() => resultOf(request)),
    };
  }

  get texts(): string[] {
    return this.begun.map(({ text }) => text);
  }

  async *#bytes(text: string, injected: Promise<void>): AsyncIterable<Buffer> {
    yield Buffer.from(text);
    await injected;
    yield Buffer.from(text);
  }
}

function resultOf({ input, format, sampleRate }: SpeechRequest): SpeechResult {
  return {
    duration: 1,
    sampleRate,
    channels: 1,
    format,
    sentences: [{ text: input.content, start: 0, end: 1 }],
    words: [],
    marks: [],
    characters: input.content.length,
    times: { text: 0.1, queue: 0.2, infer: 0.3, shape: 0.4, encode: 0.5 },
  };
}

/** A door that is shut until it is opened: what waits at it goes on then, or when its signal aborts. */
export class Gate {
  #open!: () => void;
  readonly #opened = new Promise<void>((resolve) => (this.#open = resolve));

  open(): void {
    this.#open();
  }

  pass(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.#opened.then(resolve);
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }
}
