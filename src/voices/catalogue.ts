import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LantangError } from '../errors.js';
import { readPiperVoice, type PublishedVoice } from './piper.js';
import { sha256Of } from './prepare/prepared-folder.js';
import type { Prepared } from './prepare/prepare.js';
import type { Voice, VoiceModel } from './voice.js';

/** Prepares a voice's graph or finds it prepared; `inference` gives it. Throws `voice_invalid`. */
export type PrepareVoice = (
  voice: PublishedVoice,
  sha256: string,
) => Promise<Prepared & { directory: string }>;

/** A voice that was found and can't be used. */
export interface BrokenVoice {
  name: string;
  code: string;
  reason: string;
}

export interface CatalogueOptions {
  /** Folders of voices; where two hold the same name, the later one's speaks. */
  directories: string[];
  prepare: PrepareVoice;
}

/** The voices that can speak now, and those that can't with the reason. */
export class Catalogue {
  readonly #voices = new Map<string, Voice>();
  readonly #broken = new Map<string, BrokenVoice>();

  private constructor(private readonly options: CatalogueOptions) {}

  /** Reads and prepares every voice in the folders. A broken one is reported in `broken`; the others serve. */
  static async open(options: CatalogueOptions): Promise<Catalogue> {
    const catalogue = new Catalogue(options);
    const files = await Promise.all(options.directories.map(voiceFiles));
    const byName = new Map(files.flat().map((file) => [file.name, file.path]));
    for (const [name, path] of byName) await catalogue.#admit(name, path);
    return catalogue;
  }

  voices(): Voice[] {
    return [...this.#voices.values()];
  }

  models(): VoiceModel[] {
    return this.voices().flatMap(({ models }) => models);
  }

  broken(): BrokenVoice[] {
    return [...this.#broken.values()];
  }

  /** The voice and the speaker of it that a model's name stands for. */
  find(name: string): { voice: Voice; model: VoiceModel } | undefined {
    for (const voice of this.#voices.values()) {
      const model = voice.models.find((candidate) => candidate.name === name);
      if (model) return { voice, model };
    }
    return undefined;
  }

  /** Throws `voice_not_found`. */
  resolve(name: string): { voice: Voice; model: VoiceModel } {
    const found = this.find(name);
    if (found) return found;
    throw new LantangError('voice_not_found', `There is no model named "${name}".`, {
      context: { model: name },
    });
  }

  /** Reads a voice's files, anew where it is known. Throws `voice_invalid`; what was there before then stays. */
  async add(modelFile: string): Promise<Voice> {
    const voice = await openVoice(modelFile, this.options.prepare);
    this.#voices.set(voice.name, voice);
    this.#broken.delete(voice.name);
    return voice;
  }

  remove(name: string): void {
    this.#voices.delete(name);
    this.#broken.delete(name);
  }

  async #admit(name: string, path: string): Promise<void> {
    try {
      await this.add(path);
    } catch (error) {
      if (!(error instanceof LantangError)) throw error;
      this.#broken.set(name, { name, code: error.code, reason: error.message });
    }
  }
}

/** Reads, checks and prepares one voice. Throws `voice_invalid`. */
export async function openVoice(modelFile: string, prepare: PrepareVoice): Promise<Voice> {
  const published = await readPiperVoice(modelFile);
  const sha256 = await sha256Of(modelFile);
  const { manifest, gain, directory } = await prepare(published, sha256);
  const { name, text, scales, sampleRate } = published;
  const marks = manifest.tensors.durations !== null;
  const models = published.models.map((model) => ({ ...model, marks }));
  return { name, sha256, directory, manifest, text, scales, sampleRate, gain, models };
}

/** All `<name>.onnx` of a folder, by name; a folder that is not there holds none. */
async function voiceFiles(directory: string): Promise<{ name: string; path: string }[]> {
  const entries = await readdir(directory).catch(() => []);
  return entries
    .filter((entry) => entry.endsWith('.onnx') && !entry.startsWith('.'))
    .sort()
    .map((entry) => ({ name: entry.slice(0, -'.onnx'.length), path: join(directory, entry) }));
}
