/* A process that owns an encoder process and keeps a recording open, for a test that kills it. */
import { EncoderProcess } from '../../src/audio/encoder-process.js';
import { speech } from './signals.js';

const encoders = await EncoderProcess.start({ scratchDirectory: process.argv[2]! });
const encoder = encoders.open({ format: 'mp3', sampleRate: 24000, streaming: false });
await encoder.write(speech(24000));
process.send?.({ helper: encoders.pid });
