import type { GraphManifest } from './manifest.js';

/** How a voice's phoneme ids are made; all the text front end knows of a voice. */
export interface VoiceText {
  /** espeak-ng's name of the voice whose phonemes the network was taught, e.g. `en-us`. */
  espeakVoice: string;
  /** BCP 47 tag of the language that is read, e.g. `en-US`; chooses the normaliser. */
  language: string;
  /** `espeak`: ids of phonemes; `text`: ids of the characters themselves. */
  phonemeType: 'espeak' | 'text';
  /** Symbol (one NFD code point) → ids. */
  idMap: ReadonlyMap<string, readonly number[]>;
  /** Most ids that one segment may have, start, padding and end included. */
  maxIds: number;
}

/** The network's own defaults, from the published json's `inference`. */
export interface VoiceScales {
  noiseScale: number;
  lengthScale: number;
  noiseW: number;
}

/** One file pair `<name>.onnx` + `<name>.onnx.json`, read and checked, with what preparing its graph gave. */
export interface Voice {
  /** The files' base name, unique in a catalogue, e.g. `nadia`. */
  name: string;
  /** SHA-256 of the published .onnx, hex. */
  sha256: string;
  /** Folder of the prepared graph. */
  directory: string;
  manifest: GraphManifest;
  text: VoiceText;
  scales: VoiceScales;
  sampleRate: number;
  /** Linear factor that brings the voice's speech to the project's common loudness; measured when it is prepared. */
  gain: number;
  models: VoiceModel[];
}

/** What a caller chooses by `config.model`: one speaker of one voice. */
export interface VoiceModel {
  /** The voice's name; `<voice>-<speaker>`, or the speaker's own name, where a voice has several speakers. */
  name: string;
  /** The voice file's name. */
  voice: string;
  /** Row of the speaker table. */
  speaker: number;
  label: string;
  /** BCP 47. */
  language: string;
  domain: string;
  gender: string;
  /** SPDX expression, or a sentence where the voice says no more; `unknown` where it says nothing. */
  licence: string;
  sampleRate: number;
  /** True when word times can be told. */
  marks: boolean;
}
