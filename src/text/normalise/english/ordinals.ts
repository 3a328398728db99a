import type { Language } from '../language.js';
import type { Rule } from '../rule.js';
import { STREETS } from './abbreviations.js';
import { anyOf } from '../rule.js';

/** "1st", "22nd", "1,000th". */
export function englishOrdinals(language: Language): Rule[] {
  return [
    {
      name: 'ordinal',
      pattern:
        /(?<![\p{L}\p{N}]|\d[.,])(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:st|nd|rd|th|ST|ND|RD|TH)(?![\p{L}\p{N}])/gu,
      read: ([, digits]) => language.ordinal(digits!.replaceAll(',', '')),
    },
  ];
}

/** "Main St.", "5th Ave": where no name follows, which would make "St." a saint. */
export function englishStreets(): Rule[] {
  return [
    {
      name: 'street',
      pattern: new RegExp(
        `(?<=(?:\\p{Lu}\\p{L}{1,30}(?:'s)?|\\d(?:st|nd|rd|th)) )(${anyOf(STREETS.keys())})(?![\\p{L}\\p{N}])\\.?(?=$|[,;:)?!\\n]| ?[a-z\\d(&]| (?:NW|NE|SW|SE|N|S|E|W)(?!\\p{L})|\\s*$)`,
        'gu',
      ),
      read: ([, street]) => STREETS.get(street!),
    },
  ];
}
