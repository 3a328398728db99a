import type { Logger } from 'pino';
import type { Settings } from './config.js';
import { LantangError } from './errors.js';
import type { Catalogue } from './voices/catalogue.js';

type Names = Pick<Settings, 'defaultVoice' | 'voiceAliases'>;

/** Models that an error lists. */
const MOST_LISTED = 12;

/** The local model that a public name stands for. */
export function localName(name: string, { voiceAliases }: Pick<Names, 'voiceAliases'>): string {
  return Object.hasOwn(voiceAliases, name) ? voiceAliases[name]! : name;
}

/**
 * Every model that the settings name must be there; of one whose voice is there but broken, the log tells. Throws
 * `configuration_invalid`, which names the variable.
 */
export function checkModelNames(settings: Names, catalogue: Catalogue, log: Logger): void {
  const aliases = Object.entries(settings.voiceAliases);
  const strangers = aliases
    .filter(([, model]) => catalogue.voiceNameOf(model) === undefined)
    .map(([name, model]) => `LANTANG_VOICE_ALIASES maps "${name}" to "${model}"`);
  if (catalogue.voiceNameOf(localName(settings.defaultVoice, settings)) === undefined) {
    strangers.unshift(`LANTANG_DEFAULT_VOICE is "${settings.defaultVoice}"`);
  }
  if (strangers.length > 0) {
    const message = `${strangers.join(', ')}, but there is no such model here. ${whatThereIs(catalogue)}`;
    throw new LantangError('configuration_invalid', message);
  }
  const broken = new Set(catalogue.broken().map(({ name }) => name));
  for (const [alias, model] of aliases) {
    if (broken.has(catalogue.voiceNameOf(model)!)) {
      log.warn({ alias, model }, 'an alias leads to a voice that cannot speak');
    }
  }
}

function whatThereIs(catalogue: Catalogue): string {
  const names = catalogue.modelNames();
  if (names.length === 0) return 'There are no models.';
  const more = names.length > MOST_LISTED ? `, and ${names.length - MOST_LISTED} more` : '';
  return `There are: ${names.slice(0, MOST_LISTED).join(', ')}${more}.`;
}
