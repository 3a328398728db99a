import type { AudioFormatName } from '../audio/format.js';
import type { AudioAbilities } from './parts.js';
import { validationError, type Fault } from './validate.js';

/** What a request asks of the audio, and where in it that stands. */
export interface AskedAudio {
  format: { is: AudioFormatName; location: string[] };
  /** Semitones. */
  pitch?: { is: number; location: string[] };
}

/** Refuses at once what this server's ffmpeg cannot make now; without one it makes WAV and PCM at their own pitch. */
export function admitAudio({ format, pitch }: AskedAudio, abilities: AudioAbilities): void {
  const faults: Fault[] = [];
  const formats = abilities.formats();
  if (!formats.includes(format.is)) {
    const others = formats.join(', ');
    const message = `${named(format.location)} cannot be ${format.is} now: the ffmpeg of this server cannot make it. It can be one of ${others}.`;
    faults.push({ location: format.location, message, status: 'not_available' });
  }
  if (pitch && pitch.is !== 0 && !abilities.shiftsPitch()) {
    const message = `${named(pitch.location)} must be 0 now: the ffmpeg of this server cannot change the pitch.`;
    faults.push({ location: pitch.location, message, status: 'not_available' });
  }
  if (faults.length > 0) throw validationError(faults);
}

function named(location: string[]): string {
  return location.slice(1).join('.');
}
