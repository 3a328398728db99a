import type { VoiceModel } from '../voices/voice.js';
import { AUDIO_FORMATS } from './schemas/reading.js';
import type { TtsModel } from './schemas/writing.js';

/** A voice's model as callers see it, under the public name they use for it. */
export function modelView(model: VoiceModel, publicName: string): TtsModel {
  return {
    name: publicName,
    label: model.label,
    language: model.language,
    domain: model.domain,
    voice: model.voice,
    gender: model.gender,
    channels: 1,
    samplerate: model.sampleRate,
    formats: [...AUDIO_FORMATS],
    marks: model.marks,
    licence: model.licence,
  };
}
