import type { AudioFormatName } from '../audio/format.js';
import type { VoiceModel } from '../voices/voice.js';
import type { TtsModel } from './schemas/writing.js';

/** A voice's model as callers see it, under the public name they use for it; `formats` can be made now. */
export function modelView(model: VoiceModel, publicName: string, formats: AudioFormatName[]): TtsModel {
  return {
    name: publicName,
    label: model.label,
    language: model.language,
    domain: model.domain,
    voice: model.voice,
    gender: model.gender,
    channels: 1,
    samplerate: model.sampleRate,
    formats,
    marks: model.marks,
    licence: model.licence,
  };
}
