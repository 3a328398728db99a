import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Choice } from './choose.js';
import type { Measured } from './measure.js';
import type { Setting } from './setting.js';
import { subjectKey, type Subject } from './subject.js';

/** What was measured, and what was chosen by it. */
export interface Tuning extends Measured, Choice {
  subject: Subject;
  /** ISO 8601. */
  measuredAt: string;
  settings: Setting[];
}

/** Measurements in a folder, one file for each subject. */
export class TuningStore {
  constructor(private readonly folder: string) {}

  /** Undefined where nothing was measured, or what is there can't be read. */
  async find(subject: Subject): Promise<Tuning | undefined> {
    try {
      const tuning = JSON.parse(await readFile(this.#fileOf(subject), 'utf8')) as Tuning;
      const setting = tuning.settings[tuning.index];
      return setting && setting.lanes >= 1 && setting.rows >= 1 ? tuning : undefined;
    } catch {
      return undefined;
    }
  }

  async keep(tuning: Tuning): Promise<void> {
    const file = this.#fileOf(tuning.subject);
    await mkdir(this.folder, { recursive: true });
    const partial = `${file}.${process.pid}.partial`;
    await writeFile(partial, `${JSON.stringify(tuning, null, 2)}\n`);
    await rename(partial, file);
  }

  #fileOf(subject: Subject): string {
    return join(this.folder, `${subjectKey(subject)}.json`);
  }
}

export function chosenSetting({ settings, index }: Pick<Tuning, 'settings' | 'index'>): Setting {
  return settings[index]!;
}
