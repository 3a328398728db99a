import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Settings } from './config.js';
import { LantangError } from './errors.js';

/** Throws `configuration_invalid` where a folder that the settings name is none, or can't be used. */
export function requireFolders({ dataDir, modelsDir }: Pick<Settings, 'dataDir' | 'modelsDir'>): void {
  makeDataFolder(dataDir);
  if (modelsDir === undefined || statSync(modelsDir, { throwIfNoEntry: false })?.isDirectory()) return;
  const found = statSync(modelsDir, { throwIfNoEntry: false }) ? 'is a file' : 'does not exist';
  throw unusable('LANTANG_MODELS_DIR must be a folder of voices', modelsDir, found);
}

/** Makes it where it is absent, and writes into it. Throws `configuration_invalid`. */
export function makeDataFolder(dataDir: string): void {
  makeFolder(dataDir, 'LANTANG_DATA_DIR');
}

/** `name` is what the folder was called by who named it. Throws `configuration_invalid`. */
export function makeFolder(folder: string, name: string): void {
  const probe = join(folder, `.writable.${process.pid}`);
  try {
    makeWithParents(resolve(folder));
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw unusable(
      `${name} must be a folder that can be written`,
      folder,
      REASONS[code] ?? `fails (${code})`,
    );
  }
}

const REASONS: Record<string, string> = {
  ENOTDIR: 'is a file, or lies in one',
  EEXIST: 'is a file',
  ENOENT: 'cannot be made or written',
  EACCES: 'may not be written',
  EPERM: 'may not be written',
  EROFS: 'lies on a disk that is read-only',
  ENOSPC: 'lies on a disk that is full',
};

/** One folder after another: Node's own recursive mkdir never ends in a file system like that of /proc. */
function makeWithParents(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (!found && dirname(folder) !== folder) makeWithParents(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function unusable(expected: string, folder: string, reason: string): LantangError {
  return new LantangError('configuration_invalid', `${expected}, but ${folder} ${reason}.`);
}
