import { isLantangError } from '../../src/errors.js';

/** The code with which something is refused; `undefined` when it is not, and anything else is thrown on. */
export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (isLantangError(error)) return error.code;
    throw error;
  }
}
