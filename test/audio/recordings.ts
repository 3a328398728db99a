import { buffer } from 'node:stream/consumers';
import type { Encoder } from '../../src/audio/encoder.js';
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
