import type { Language } from '../language.js';
import { AFTER_WORD, anyOf, type Rule } from '../rule.js';
import { spell } from '../spelling.js';

const BEFORE = "(?<![\\p{L}\\p{N}.'])";
/** Contractions begin with an apostrophe. */
const BEFORE_ANY = '(?<![\\p{L}\\p{N}.])';

/** Abbreviations by table, initials, and letters joined by full stops. */
export function abbreviations(language: Language): Rule[] {
  const table = (name: string, words: ReadonlyMap<string, string>, before: string, after: string): Rule => ({
    name,
    pattern: new RegExp(`${before}${anyOf(words.keys())}${after}`, 'gu'),
    read: ([written]) => words.get(written),
  });
  return [
    table('abbreviation of a number', language.abbreviationsOfNumbers, BEFORE, '(?=\\s?[\\d#(])'),
    table('title', language.titles, BEFORE, '(?=\\s?\\p{Lu})(?!\\p{L})'),
    table('abbreviation', language.abbreviations, BEFORE_ANY, AFTER_WORD),
    {
      name: 'letters with stops',
      pattern: new RegExp(
        `${BEFORE}\\p{L}\\.(?:\\p{L}\\.){1,7}(?:\\p{Lu}(?!\\p{L}))?(?:'?s(?!\\p{L}))?`,
        'gu',
      ),
      read: ([letters]) =>
        spell(letters.replace(/'?s$|\./g, ''), language) + (/[^.]s$/.test(letters) ? "'s" : ''),
    },
    {
      name: 'initial',
      pattern: new RegExp(`${BEFORE}(\\p{Lu})\\.(?=\\s?\\p{Lu})`, 'gu'),
      read: ([, letter]) => spell(letter!, language),
    },
  ];
}
