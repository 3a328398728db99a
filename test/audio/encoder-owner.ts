/* A process that owns an encoder process and keeps a recording open, for tests that kill it. */
import { EncoderProcess } from '../../src/audio/encoder-process.js';
import { pcmOf, speech } from './signals.js';

const [scratchDirectory, ffmpegPath = 'ffmpeg'] = process.argv.slice(2);
const encoders = await EncoderProcess.start({ scratchDirectory: scratchDirectory!, ffmpegPath });
const encoder = encoders.open({ format: 'mp3', sampleRate: 24000, streaming: false });
await encoder.write(pcmOf(speech(24000)));
process.send?.({ helper: encoders.pid });
