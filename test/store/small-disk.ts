import { spawnSync } from 'node:child_process';
import { temporaryFolder } from '../temporary-folder.js';

/** A file system of its own, with little room. */
export interface SmallDisk {
  path: string;
  /** False where that failed. */
  makeReadOnly(): boolean;
  makeWritable(): boolean;
  remove(): void;
}

/** Mounts one of so many megabytes; nothing where only an administrator may. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = temporaryFolder();
  const run = (...command: [string, ...string[]]): boolean =>
    spawnSync(command[0], command.slice(1)).status === 0;
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder.path)) {
    folder.clean();
    return undefined;
  }
  return {
    path: folder.path,
    makeReadOnly: () => run('mount', '-o', 'remount,ro', folder.path),
    makeWritable: () => run('mount', '-o', 'remount,rw', folder.path),
    remove() {
      // Lazily: a file may still be on its way to being closed.
      run('umount', '--lazy', folder.path);
      folder.clean();
    },
  };
}

/** Why tests that need one were left out. */
export const NO_SMALL_DISK = 'only an administrator may mount a small file system';
