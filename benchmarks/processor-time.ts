import { readFileSync } from 'node:fs';
import { childrenOf } from './resident-memory.js';

/** Of a tick of /proc, on every Linux that runs Node. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process and all below it have taken, those that have ended included. */
export function processorTimeOfTree(pid: number): number {
  // The name of the program, in parentheses, may hold anything; the fields after it are numbers.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, usersEnded = 0, systemsEnded = 0] = fields.slice(11, 15);
  const own = (user + system + usersEnded + systemsEnded) / TICKS_PER_SECOND;
  return childrenOf(pid).reduce((sum, child) => sum + processorTimeOfTree(child), own);
}
