import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LantangError, isLantangError } from '../errors.js';
import { examineVoice, type ExaminedVoice, type KnowsEspeakVoice } from './examine.js';
import { voiceOf, type VoicePreparer } from './open-voice.js';
import type { PublishedVoice } from './piper.js';
import type { Voice, VoiceModel } from './voice.js';

/** A voice that was found and can't be used. */
export interface BrokenVoice {
  name: string;
  code: string;
  reason: string;
}

export interface CatalogueOptions {
  /** Folders of voices; where two hold the same name, the later one's speaks. */
  directories: string[];
  preparer: VoicePreparer;
  /** Absent: espeak-ng is not asked. */
  knowsEspeakVoice?: KnowsEspeakVoice;
  /** Told of every voice that is found broken, as soon as it is. */
  report?: (voice: BrokenVoice) => void;
}

type Entry =
  | { state: 'ready'; voice: Voice; examined: ExaminedVoice }
  | { state: 'waiting'; examined: ExaminedVoice }
  /** `models` are the names of its speakers, where its json could be read. */
  | { state: 'broken'; code: string; reason: string; models: string[] | undefined };

/** The voices that can speak now, those that have yet to be prepared, and those that can't speak with the reason. */
export class Catalogue {
  /** In the order in which they were found, which is that of their names in each folder. */
  readonly #entries = new Map<string, Entry>();

  private constructor(private readonly options: CatalogueOptions) {}

  /**
   * Reads every voice in the folders, which takes little time: what was prepared before is ready, the others wait for
   * `prepare`. A broken one is reported and skipped.
   */
  static async open(options: CatalogueOptions): Promise<Catalogue> {
    const catalogue = new Catalogue(options);
    const files = await Promise.all(options.directories.map(voiceFiles));
    const byName = new Map(files.flat().map((file) => [file.name, file.path]));
    for (const [name, path] of byName) {
      await catalogue.#settle(name, () => catalogue.#examine(path));
      await catalogue.#recall(name);
    }
    return catalogue;
  }

  voices(): Voice[] {
    return [...this.#entries.values()].flatMap((entry) => (entry.state === 'ready' ? [entry.voice] : []));
  }

  /** One for each name: where two voices have a speaker of the same, as `find`. */
  models(): VoiceModel[] {
    const byName = new Map<string, VoiceModel>();
    for (const model of this.voices().flatMap(({ models }) => models)) {
      const known = byName.get(model.name);
      if (known?.voice !== model.name) byName.set(model.name, model);
    }
    return [...byName.values()];
  }

  /** Of voices that are ready or wait. */
  modelNames(): string[] {
    const published = [...this.#entries.keys()].flatMap((voice) => this.published(voice)?.models ?? []);
    return published.map(({ name }) => name);
  }

  broken(): BrokenVoice[] {
    return [...this.#entries].flatMap(([name, entry]) =>
      entry.state === 'broken' ? [{ name, code: entry.code, reason: entry.reason }] : [],
    );
  }

  /** Names of the voices that wait to be prepared. */
  waiting(): string[] {
    return [...this.#entries].flatMap(([name, { state }]) => (state === 'waiting' ? [name] : []));
  }

  /**
   * The voice and the speaker of it that a model's name stands for: a voice of that very name, else the speaker whose
   * voice was found last, so that a voice which is added takes the place of a speaker that came along.
   */
  find(name: string): { voice: Voice; model: VoiceModel } | undefined {
    const isMeant = (model: VoiceModel) => model.name === name;
    const voice = preferred(
      this.voices().filter(({ models }) => models.some(isMeant)),
      name,
    );
    return voice && { voice, model: voice.models.find(isMeant)! };
  }

  /**
   * The voice that a model's name belongs to, ready or not. Where nobody knows the speakers of a broken voice, whatever
   * begins like it is counted as one.
   */
  voiceNameOf(model: string): string | undefined {
    const owners = [...this.#entries]
      .filter(
        ([name, entry]) =>
          namesOf(entry)?.includes(model) ?? (model === name || model.startsWith(`${name}-`)),
      )
      .map(([name, { state }]) => ({ name, state }));
    const able = owners.filter(({ state }) => state !== 'broken');
    return (preferred(able, model) ?? owners[0])?.name;
  }

  /** What the files say of a voice that is ready or waits. */
  published(name: string): PublishedVoice | undefined {
    const entry = this.#entries.get(name);
    return entry && entry.state !== 'broken' ? entry.examined.published : undefined;
  }

  /** As `find`. Throws `voice_not_found`, or what keeps the voice from speaking. */
  resolve(name: string): { voice: Voice; model: VoiceModel } {
    const found = this.find(name);
    if (found) return found;
    const owner = this.#entries.get(this.voiceNameOf(name) ?? '');
    if (owner?.state === 'broken') {
      throw new LantangError(owner.code, `The voice of "${name}" cannot speak. ${owner.reason}`);
    }
    throw new LantangError(
      'voice_not_found',
      `There is no model named "${name}"; \`lantang voices list\` shows those that there are.`,
      {
        context: { model: name },
      },
    );
  }

  /** As `resolve`, after preparing the voice if it still waits for that. */
  async obtain(name: string): Promise<{ voice: Voice; model: VoiceModel }> {
    const owner = this.voiceNameOf(name);
    if (owner !== undefined) await this.prepare(owner);
    return this.resolve(name);
  }

  /** Makes a waiting voice ready, or finds it broken. Takes seconds. `signal` ends it; the voice then goes on waiting. */
  async prepare(name: string, signal?: AbortSignal): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry?.state !== 'waiting') return;
    const { examined } = entry;
    const { published, sha256 } = examined;
    await this.#settle(name, async () => {
      const prepared = await this.options.preparer.make(published, sha256, signal);
      return { state: 'ready', voice: voiceOf(examined, prepared), examined };
    });
  }

  /** Prepares all that wait, one after another. */
  async prepareAll(): Promise<void> {
    for (const name of this.waiting()) await this.prepare(name);
  }

  async #examine(path: string): Promise<Entry> {
    return { state: 'waiting', examined: await examineVoice(path, this.options.knowsEspeakVoice) };
  }

  /** What came of preparing a waiting voice before, if that was tried. */
  async #recall(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry?.state !== 'waiting') return;
    const { preparer } = this.options;
    const { examined } = entry;
    const { published, sha256 } = examined;
    await this.#settle(name, async () => {
      const prepared = await preparer.find(published, sha256);
      if (prepared) return { state: 'ready', voice: voiceOf(examined, prepared), examined };
      const failure = await preparer.failure(published, sha256);
      if (failure) throw failure;
      return entry;
    });
  }

  /** What `find` gives becomes the voice's entry; an error that is the voice's own makes it a broken one. */
  async #settle(name: string, find: () => Promise<Entry>): Promise<void> {
    try {
      this.#entries.set(name, await find());
    } catch (error) {
      if (!isLantangError(error)) throw error;
      const { code, message: reason } = error;
      const before = this.#entries.get(name);
      this.#entries.set(name, { state: 'broken', code, reason, models: before && namesOf(before) });
      this.options.report?.({ name, code, reason });
    }
  }
}

/** Of the voices that have a speaker of that name, the one it stands for: see `find`. */
function preferred<T extends { name: string }>(voices: T[], model: string): T | undefined {
  return voices.find(({ name }) => name === model) ?? voices.at(-1);
}

/** Names of the models of a voice; undefined where nobody knows them. */
function namesOf(entry: Entry): string[] | undefined {
  return entry.state === 'broken' ? entry.models : entry.examined.published.models.map(({ name }) => name);
}

/** All `<name>.onnx` of a folder, by name; a folder that is not there holds none. */
async function voiceFiles(directory: string): Promise<{ name: string; path: string }[]> {
  const entries = await readdir(directory).catch(() => []);
  return entries
    .filter((entry) => entry.endsWith('.onnx') && !entry.startsWith('.'))
    .sort()
    .map((entry) => ({ name: entry.slice(0, -'.onnx'.length), path: join(directory, entry) }));
}
