import { setMaxListeners } from 'node:events';
import type { Encoder } from '../audio/encoder.js';
import type { EncoderProcess } from '../audio/encoder-process.js';
import { deliveredRate } from '../audio/formats.js';
import { Joiner } from '../audio/join.js';
import { openMastering, type MasteringSource } from '../audio/mastering.js';
import type { Shifter } from '../audio/pitch.js';
import { fromDecibels } from '../audio/waveform.js';
import { LantangError } from '../errors.js';
import type { RowSpeaker } from '../inference/row-speaker.js';
import type { FrontEnd } from '../text/front-end.js';
import type { Utterance } from '../text/utterance.js';
import type { Voice, VoiceModel } from '../voices/voice.js';
import { Delivery } from './delivery.js';
import { PitchedDelivery } from './pitched-delivery.js';
import { shifted } from './shifted.js';
import type { PhaseTimes, SpeakOptions, Speaker, Speech, SpeechRequest, SpeechResult } from './speech.js';
import { synthesize, type SpokenSegment } from './synthesis.js';
import { timeline, type Placement } from './timeline.js';

/** Characters after which a streamed text's first segment is cut at the next clause border. */
const FIRST_SEGMENT_CHARACTERS = 20;

export interface SpeakerParts {
  frontEnd: FrontEnd;
  /** The voice and speaker that a model name stands for. */
  voices: { find(model: string): { voice: Voice; model: VoiceModel } | undefined };
  synthesizer: RowSpeaker;
  encoders: EncoderProcess;
  mastering: MasteringSource;
}

/** Builds the road from its rooms. Speaking several texts at once is what it is for: nothing is shared but the lanes. */
export function createSpeaker(parts: SpeakerParts): Speaker {
  return {
    speak(request, options) {
      const found = parts.voices.find(request.model);
      if (!found) throw unknownVoice(request.model);
      return new Utterer(parts, found, request, options).speech();
    },
  };
}

/** One request on its way. */
class Utterer {
  readonly #stop = new AbortController();
  readonly #options: SpeakOptions & { signal: AbortSignal };
  readonly #rate: SpeechResult['sampleRate'];
  readonly #times: PhaseTimes = { text: 0, queue: 0, infer: 0, shape: 0, encode: 0 };
  readonly #placements: Placement[] = [];
  #failure: unknown;
  #filledAt = 0;

  constructor(
    private readonly parts: SpeakerParts,
    private readonly speaks: { voice: Voice; model: VoiceModel },
    private readonly request: SpeechRequest,
    options: SpeakOptions,
  ) {
    const signals = [this.#stop.signal, ...(options.signal ? [options.signal] : [])];
    const signal = AbortSignal.any(signals);
    // Each of its segments listens.
    setMaxListeners(Infinity, signal);
    this.#options = { ...options, signal };
    this.#rate = deliveredRate(request.format, request.sampleRate);
  }

  speech(): Speech {
    const { format } = this.request;
    // Opened before anything else: the codec's program starts while the text is read.
    const encoder = this.parts.encoders.open({
      format,
      sampleRate: this.#rate,
      streaming: this.#options.streaming,
    });
    const result = this.#fill(encoder).catch((error: unknown) => {
      this.#failure = error;
      encoder.abort();
      throw error;
    });
    // Who only reads the bytes learns of the failure there.
    result.catch(() => {});
    return { bytes: this.#drain(encoder), result };
  }

  /** The encoder's bytes. A failure further up the road is told rather than the broken encoder that it leaves. */
  async *#drain(encoder: Encoder): AsyncGenerator<Buffer> {
    try {
      yield* encoder.bytes;
    } catch (error) {
      throw this.#failure ?? error;
    } finally {
      // Bytes that nobody wants any more need no more samples.
      this.#stop.abort();
      encoder.abort();
    }
    if (this.#failure !== undefined) throw this.#failure as Error;
    this.#times.encode = seconds(this.#filledAt);
  }

  /** Reads, speaks and shapes the text, and leaves the encoder to finish. */
  async #fill(encoder: Encoder): Promise<SpeechResult> {
    const began = performance.now();
    const utterance = await this.#read();
    this.#times.text = seconds(began);
    const delivery = this.#delivery(encoder);
    await this.#join(utterance, delivery);
    await this.#shape(() => delivery.end());
    this.#filledAt = performance.now();
    return this.#result(utterance, delivery.delivered);
  }

  #read(): Promise<Utterance> {
    const { signal, streaming } = this.#options;
    return this.parts.frontEnd.prepare(this.request.input, this.speaks.voice.text, {
      signal,
      ...(streaming ? { firstSegmentCharacters: FIRST_SEGMENT_CHARACTERS } : {}),
    });
  }

  #delivery(encoder: Encoder): Delivery | PitchedDelivery {
    const { sampleRate, gain } = this.speaks.voice;
    const mastering = openMastering(this.parts.mastering, {
      inputRate: sampleRate,
      outputRate: this.#rate,
      gain,
    });
    const delivery = new Delivery(mastering, encoder);
    const { pitch } = this.request;
    return pitch === 0 ? delivery : new PitchedDelivery(this.#shifter(pitch), delivery);
  }

  #shifter(semitones: number): Shifter {
    return this.parts.encoders.openShifter({ sampleRate: this.speaks.voice.sampleRate, semitones });
  }

  async #join(utterance: Utterance, delivery: Delivery | PitchedDelivery): Promise<void> {
    const { sampleRate, gain } = this.speaks.voice;
    const joiner = new Joiner({ sampleRate, gain });
    const spoken = synthesize(this.parts.synthesizer, this.speaks, utterance, this.request, this.#options);
    for await (const segment of spoken) {
      this.#options.signal.throwIfAborted();
      await this.#joinSegment(joiner, segment, delivery);
      this.#options.onProgress?.({ segments: this.#placements.length, of: utterance.segments.length });
    }
    await this.#shape(() => delivery.write(joiner.finish()));
  }

  async #joinSegment(
    joiner: Joiner,
    spoken: SpokenSegment,
    delivery: Delivery | PitchedDelivery,
  ): Promise<void> {
    joiner.begin(spoken.segment);
    for await (const samples of this.#inflected(spoken)) {
      await this.#shape(() => writeAll(delivery, joiner.push(samples)));
    }
    const { samples, landing } = joiner.end();
    await this.#shape(() => writeAll(delivery, samples));
    const { durations, queued, inferred } = spoken.outcome();
    if (this.#placements.length === 0) this.#times.queue = queued;
    this.#times.infer += inferred;
    this.#placements.push({ segment: spoken.segment, landing, durations });
  }

  /** A segment's samples with the pitch and volume that SSML asks for. */
  #inflected({ segment, pieces }: SpokenSegment): AsyncIterable<Float32Array> {
    const { pitch, volume } = segment.prosody;
    const pitched = pitch === 0 ? pieces : shifted(pieces, this.#shifter(pitch));
    return volume === 0 ? pitched : scaled(pitched, fromDecibels(volume));
  }

  async #shape(work: () => Promise<void>): Promise<void> {
    const began = performance.now();
    await work();
    this.#times.shape += seconds(began);
  }

  #result(utterance: Utterance, delivered: number): SpeechResult {
    const { sampleRate, manifest } = this.speaks.voice;
    const duration = delivered / this.#rate;
    return {
      duration,
      sampleRate: this.#rate,
      channels: 1,
      format: this.request.format,
      ...timeline(utterance, this.#placements, { sampleRate, hop: manifest.hop }, duration),
      characters: utterance.spokenCharacters,
      times: this.#times,
    };
  }
}

async function writeAll(delivery: Delivery | PitchedDelivery, pieces: Float32Array[]): Promise<void> {
  for (const samples of pieces) await delivery.write(samples);
}

async function* scaled(pieces: AsyncIterable<Float32Array>, factor: number): AsyncGenerator<Float32Array> {
  for await (const samples of pieces) yield samples.map((sample) => sample * factor);
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}

function unknownVoice(model: string): LantangError {
  return new LantangError('voice_not_found', `There is no voice named "${model}" here.`, {
    context: { model },
  });
}
