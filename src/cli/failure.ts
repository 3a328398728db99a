import { LantangError } from '../errors.js';

/** Ends the command: what went wrong in one sentence where it is ours, with the stack where it is a defect. */
export function reportFailure(error: unknown): void {
  process.exitCode = 1;
  if (error instanceof LantangError) console.error(`lantang: ${error.message}`);
  else console.error(error);
}
