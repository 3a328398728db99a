import { expect } from 'chai';
import { buffer } from 'node:stream/consumers';
import type { Encoder } from '../../src/audio/encoder.js';
import { LantangError } from '../../src/errors.js';
import { pcmOf, speech } from './signals.js';

/** Of the recordings here, in hertz. */
export const RATE = 48000;
const SPEECH = pcmOf(speech(RATE));

/** The bytes of a whole recording. */
export async function record(encoder: Encoder, samples = SPEECH): Promise<Buffer> {
  const bytes = buffer(encoder.bytes);
  bytes.catch(() => {});
  for (let at = 0; at < samples.length; at += 19200) await encoder.write(samples.subarray(at, at + 19200));
  encoder.end();
  return bytes;
}

export async function failureOf(promise: Promise<unknown>): Promise<LantangError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(LantangError);
  return error as LantangError;
}
