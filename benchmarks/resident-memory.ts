import { readFileSync } from 'node:fs';

/** Sum of the peak resident sizes of a process and all below it, in bytes; undefined where /proc is not there. */
export function peakOfTree(pid: number): number | undefined {
  try {
    const own = statusBytes(pid, 'VmHWM');
    return childrenOf(pid).reduce((sum, child) => sum + (peakOfTree(child) ?? 0), own);
  } catch {
    return undefined;
  }
}

/** Bytes resident now, of a process and all below it. */
export function residentOfTree(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + residentOfTree(child), statusBytes(pid, 'VmRSS'));
}

function statusBytes(pid: number, field: string): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}

/** Those that its main thread has begun. */
export function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(/\s+/).filter(Boolean).map(Number);
}
