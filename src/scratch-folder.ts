import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files in the making, of this process alone: `lantang say` may run beside a service. What killed processes left
 * goes with the next start.
 */
export class ScratchFolder {
  readonly path: string;

  constructor(parent: string) {
    this.path = join(parent, `${process.pid}`);
    mkdirSync(parent, { recursive: true });
    for (const name of readdirSync(parent)) {
      if (/^\d+$/.test(name) && !isAlive(Number(name)))
        rmSync(join(parent, name), { recursive: true, force: true });
    }
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
