import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../paths.js';

const SHERPA = 'sherpa-onnx-node@1.13.8';
const PIPER = 'piper-tts==1.8.0';

/** Puts sherpa-onnx-node into the cache and gives the folder that it can be required from. */
export function installSherpaOnnx(): string {
  return once('sherpa-onnx-node', SHERPA, (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, SHERPA]);
  });
}

/** Puts piper's Python into a virtual environment in the cache and gives its interpreter. */
export function installPiper(): string {
  return join(installPython('piper-tts', [PIPER]), 'bin', 'python');
}

/** A virtual environment of this name with these packages, in the cache. */
export function installPython(name: string, packages: string[]): string {
  return once(name, packages.join(' '), (folder) => {
    run('python3', ['-m', 'venv', folder]);
    run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  });
}

/** The espeak-ng data that the system's library reads; sherpa-onnx brings none. */
export function espeakData(): string {
  const folders = ['/usr/lib', '/usr/share', '/usr/local/share', '/opt/homebrew/share'];
  const candidates = folders.flatMap((folder) => [folder, ...multiarchFolders(folder)]);
  const data = candidates
    .map((folder) => join(folder, 'espeak-ng-data'))
    .find((path) => existsSync(join(path, 'phontab')));
  if (data === undefined)
    throw new Error('No espeak-ng-data folder with a phontab was found on this system.');
  return data;
}

function multiarchFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.includes('-linux-'));
  return names.map((name) => join(folder, name));
}

/** Installs into an empty folder of the cache, unless exactly this was installed there before. */
function once(name: string, what: string, install: (folder: string) => void): string {
  const folder = join(CACHE, 'peers', name);
  const stamp = join(folder, `installed-${what.replace(/[^\w.=@-]+/g, '+')}`);
  if (existsSync(stamp)) return folder;
  console.error(`Installing ${what} into the cache …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(stamp, '');
  return folder;
}

function run(program: string, args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
