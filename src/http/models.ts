import type { Settings } from '../config.js';
import { localName } from '../model-names.js';
import { refusal } from './error-table.js';
import { modelView } from './model-view.js';
import type { AudioAbilities, ModelCatalogue } from './parts.js';
import type { VoiceModel } from '../voices/voice.js';
import type { TtsModel } from './schemas/writing.js';

/** The models under the names that callers use: the local ones, and those that the operator mapped onto them. */
export interface PublicModels {
  all(): TtsModel[];
  /** Absent when nothing goes by this name now. */
  find(name: string): TtsModel | undefined;
  /** The local model's name; throws `tts_model_not_found`. */
  localName(name: string): string;
}

export function publicModels(
  catalogue: ModelCatalogue,
  settings: Pick<Settings, 'voiceAliases'>,
  abilities: AudioAbilities,
): PublicModels {
  const aliases = new Map(Object.entries(settings.voiceAliases));
  const view = (model: VoiceModel, name: string) => modelView(model, name, abilities.formats());
  const lookUp = (name: string) => catalogue.find(localName(name, settings));
  return {
    all() {
      const local = catalogue.models().map((model) => view(model, model.name));
      const mapped = [...aliases].flatMap(([name, target]) => {
        const model = catalogue.find(target);
        return model ? [view(model, name)] : [];
      });
      return [...mapped, ...local.filter((model) => !aliases.has(model.name))];
    },
    find(name) {
      const model = lookUp(name);
      return model && view(model, name);
    },
    localName(name) {
      const model = lookUp(name);
      if (!model) throw refusal('tts_model_not_found', { model: name });
      return model.name;
    },
  };
}
