import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes what bears the id of a process that no longer runs; `name` finds the id in a name of the folder. */
export function removeOfDeadProcesses(folder: string, name: RegExp): void {
  for (const entry of readdirSync(folder)) {
    const pid = name.exec(entry)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Dead, but not buried by a parent: in a container whose first process buries nobody it stays so. Linux only. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
