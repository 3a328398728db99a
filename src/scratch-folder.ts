import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeOfDeadProcesses } from './dead-processes.js';

/**
 * Files in the making, of this process alone: `lantang say` may run beside a service. What killed processes left
 * goes with the next start.
 */
export class ScratchFolder {
  readonly path: string;

  constructor(parent: string) {
    this.path = join(parent, `${process.pid}`);
    mkdirSync(parent, { recursive: true });
    removeOfDeadProcesses(parent, /^(\d+)$/);
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
