/** Names as callers give them in `config.audio_format`. */
export type AudioFormatName = 'opus' | 'mp3' | 'wav' | 'ogg' | 'flac' | 'aac' | 'pcm';

export const SAMPLE_RATES = [8000, 16000, 22050, 24000, 44100, 48000] as const;
export type SampleRate = (typeof SAMPLE_RATES)[number];

export interface AudioFormat {
  name: AudioFormatName;
  contentType: string;
  /** With the dot. */
  extension: string;
  /** What a person calls it. */
  description: string;
}
