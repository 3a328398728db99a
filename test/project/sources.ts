import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's root folder. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'build', 'data']);

/** Paths of the project's own files, relative to its root: what git tracks, or all of an unpacked archive. */
export function projectFiles(): string[] {
  try {
    const output = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
    return output.split('\0').filter((path) => path !== '' && exists(path));
  } catch {
    return filesBelow('');
  }
}

/** False for what is tracked but deleted in the work tree, and for links. */
function exists(path: string): boolean {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile() === true;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesBelow(path);
    return [path];
  });
}

export function sizeOf(path: string): number {
  return statSync(join(ROOT, path)).size;
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
