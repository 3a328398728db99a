import { getPriority, setPriority } from 'node:os';

/**
 * Makes this process as nice as that; on Linux this thread alone, and those that it starts from then on. Who is nicer
 * already stays so, since nobody may become less so again.
 */
export function lowerPriority(niceness: number): void {
  if (getPriority() < niceness) setPriority(niceness);
}
