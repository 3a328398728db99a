import { expect } from 'chai';
import { LantangError } from '../src/errors.js';

/** What the work fails with, which must be an error of ours. */
export async function failureOf(work: Promise<unknown>): Promise<LantangError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(LantangError);
  return error as LantangError;
}
