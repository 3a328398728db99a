import type { AudioFormatName, SampleRate } from '../audio/format.js';
import type { SpeechInput } from '../text/utterance.js';

/** Everything that decides how a text sounds. Equal requests with equal seeds give equal audio. */
export interface SpeechRequest {
  input: SpeechInput;
  /** Name of a VoiceModel. */
  model: string;
  /** Semitones, −10 … 10; formants stay. */
  pitch: number;
  /** Speed multiplier, 0.25 … 4; the duration is about 1/tempo. */
  tempo: number;
  format: AudioFormatName;
  sampleRate: SampleRate;
  seed: number;
}

export interface SpeakOptions {
  signal?: AbortSignal;
  /** `interactive`: somebody waits for the answer; goes before `batch` in every queue. */
  priority: 'interactive' | 'batch';
  /** Whom the queue is fair to. */
  user: string;
  /**
   * True: bytes leave as soon as the first are encoded, so a WAV header can't tell its size.
   * False: the bytes are those of a finished file.
   */
  streaming: boolean;
  /** Told after every segment that was joined. */
  onProgress?: (progress: { segments: number; of: number }) => void;
}

/** Seconds spent in each phase; phases overlap, so they do not add up to the whole. */
export interface PhaseTimes {
  text: number;
  queue: number;
  infer: number;
  shape: number;
  encode: number;
}

export interface SpeechResult {
  /** Seconds: delivered samples ÷ rate. */
  duration: number;
  sampleRate: SampleRate;
  channels: 1;
  format: AudioFormatName;
  /** Sentences as submitted, with seconds in the audio. */
  sentences: { text: string; start: number; end: number }[];
  /** Words and marks with UTF-16 offsets into the submitted text and seconds; empty where the voice can't tell. */
  words: { offset: number; length: number; start: number; end: number }[];
  marks: { name: string; time: number }[];
  /** Code points spoken. */
  characters: number;
  times: PhaseTimes;
}

/** One text being spoken: encoded bytes in order, and the result once they have all been taken. */
export interface Speech {
  bytes: AsyncIterable<Buffer>;
  result: Promise<SpeechResult>;
}

/** The road from a request to encoded audio; the same for jobs, streams, the command line and the doctor. */
export interface Speaker {
  /** Throws `voice_not_found` at once; every other failure comes through `bytes` and `result` alike. */
  speak(request: SpeechRequest, options: SpeakOptions): Speech;
}
