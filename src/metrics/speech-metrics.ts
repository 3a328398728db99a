import { Counter, Histogram, type Registry } from 'prom-client';
import type { Speaker, Speech, SpeechResult } from '../speech/speech.js';

const PHASE_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const FACTORS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2];

/** What is spoken, for jobs and streams alike. */
export class SpeechMetrics {
  readonly #speeches: Counter<'outcome'>;
  readonly #characters: Counter;
  readonly #audio: Counter;
  readonly #phases: Histogram<'phase'>;
  readonly #factors: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#speeches = new Counter({
      name: 'lantang_speeches_total',
      help: 'Texts that were spoken to the end, that failed, or whose listener left before the end.',
      labelNames: ['outcome'],
      registers,
    });
    this.#characters = new Counter({
      name: 'lantang_speech_characters_total',
      help: 'Characters of the texts that were spoken to the end.',
      registers,
    });
    this.#audio = new Counter({
      name: 'lantang_speech_audio_seconds_total',
      help: 'Seconds of audio of the texts that were spoken to the end.',
      registers,
    });
    this.#phases = new Histogram({
      name: 'lantang_speech_phase_seconds',
      help: 'Seconds that a text spent in each phase; phases overlap.',
      labelNames: ['phase'],
      buckets: PHASE_SECONDS,
      registers,
    });
    this.#factors = new Histogram({
      name: 'lantang_speech_real_time_factor',
      help: 'Seconds of computing in the lanes per second of audio, of texts of which a lane spoke any part.',
      buckets: FACTORS,
      registers,
    });
    for (const outcome of ['complete', 'failed', 'abandoned']) this.#speeches.inc({ outcome }, 0);
  }

  /** The same speaker, listened to. */
  measured(speaker: Speaker): Speaker {
    return {
      speak: (request, options) => {
        const speech = speaker.speak(request, options);
        return { ...speech, bytes: this.#counted(speech, options.signal) };
      },
    };
  }

  async *#counted({ bytes, result }: Speech, signal?: AbortSignal): AsyncGenerator<Buffer> {
    let outcome = 'abandoned';
    try {
      yield* bytes;
      this.#spoken(await result);
      outcome = 'complete';
    } catch (error) {
      if (!signal?.aborted) outcome = 'failed';
      throw error;
    } finally {
      this.#speeches.inc({ outcome });
    }
  }

  #spoken({ characters, duration, times }: SpeechResult): void {
    this.#characters.inc(characters);
    this.#audio.inc(duration);
    for (const [phase, seconds] of Object.entries(times) as [string, number][]) {
      this.#phases.observe({ phase }, seconds);
    }
    if (times.infer > 0 && duration > 0) this.#factors.observe(times.infer / duration);
  }
}
