import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Kills a program and everything it has started: what was named as ffmpeg may be a script that starts it. Without a
 * `ps` on the machine only the program itself. What has left the tree by then stays until its process group is killed.
 */
export async function killTree(root: number): Promise<void> {
  // Looked up first: the children of a dead program are nobody's.
  const tree = descendants(root, await parents());
  for (const pid of [root, ...tree]) kill(pid);
}

/** Kills every process of the group that `leader` leads or has led. */
export function killGroup(leader: number): void {
  kill(-leader);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Ids of all processes, each with its parent's. */
async function parents(): Promise<(readonly [pid: number, parent: number])[]> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='], { timeout: 2000 });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  } catch {
    return [];
  }
}

function descendants(root: number, table: (readonly [pid: number, parent: number])[]): number[] {
  const children = table.filter(([, parent]) => parent === root).map(([pid]) => pid);
  return children.flatMap((child) => [child, ...descendants(child, table)]);
}
