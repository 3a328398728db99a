import { wavHeader } from '../../src/audio/wav.js';
import { LantangError } from '../../src/errors.js';
import type { SpeakOptions, Speaker, Speech, SpeechRequest, SpeechResult } from '../../src/speech/speech.js';

/**
 * A speaker that fails and stalls on demand, for what no real voice does when it is told to. What is to happen stands
 * in the text: `fail CODE` fails with that code before any audio, `break CODE` after some; `hold` waits for `release`.
 * Every other text is silence, a hundredth of a second a character.
 */
export class ScriptedSpeaker implements Speaker {
  #release: () => void = () => undefined;
  #released = Promise.resolve();
  /** Texts begun, in order. */
  readonly begun: string[] = [];

  hold(): void {
    this.#released = new Promise((resolve) => (this.#release = resolve));
  }

  release(): void {
    this.#release();
  }

  speak(request: SpeechRequest, options: SpeakOptions): Speech {
    const text = request.input.content;
    this.begun.push(text);
    const samples = text.length * Math.round(request.sampleRate / 100);
    let settle!: { resolve: (result: SpeechResult) => void; reject: (error: unknown) => void };
    const result = new Promise<SpeechResult>((resolve, reject) => (settle = { resolve, reject }));
    const bytes = this.#bytes(request, samples, options.signal);
    return {
      result,
      bytes: (async function* () {
        try {
          yield* bytes;
          settle.resolve(resultOf(request, samples));
        } catch (error) {
          settle.reject(error);
          throw error;
        }
      })(),
    };
  }

  async *#bytes(request: SpeechRequest, samples: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
    const [, verb, code] = /^(fail|break|hold)(?: (\w+))?/.exec(request.input.content) ?? [];
    if (verb === 'hold') await this.#released;
    signal?.throwIfAborted();
    if (verb === 'fail') throw failure(code!);
    if (request.format !== 'pcm') yield wavHeader(request.sampleRate, samples * 2);
    yield Buffer.alloc(samples);
    if (verb === 'break') throw failure(code!);
    yield Buffer.alloc(samples);
  }
}

function failure(code: string): Error {
  return code === 'bug'
    ? new TypeError('secret internals')
    : new LantangError(code, `It failed with ${code}.`);
}

function resultOf({ input, format, sampleRate }: SpeechRequest, samples: number): SpeechResult {
  const duration = samples / sampleRate;
  return {
    duration,
    sampleRate,
    channels: 1,
    format,
    sentences: [{ text: input.content, start: 0, end: duration }],
    words: [],
    marks: [],
    characters: [...input.content].length,
    times: { text: 0, queue: 0, infer: 0, shape: 0, encode: 0 },
  };
}
