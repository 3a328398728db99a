import { LantangError } from '../errors.js';

/**
 * Ends the command: what went wrong in one sentence where it is ours, the engine's or the system's (they all have a
 * code), with the stack where it is a defect.
 */
export function reportFailure(error: unknown): void {
  process.exitCode = 1;
  if (error instanceof LantangError || hasCode(error)) console.error(`lantang: ${error.message}`);
  else console.error(error);
}

function hasCode(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
