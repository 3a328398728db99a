import type { Language } from '../language.js';
import { parseRoman } from '../kinds/roman.js';
import { readDigits } from '../numbers.js';
import type { Rule } from '../rule.js';

/** Figures that are more or less than a number, and words that are written with one. */
export function indonesianWords(language: Language): Rule[] {
  return [...figures(language), ...eras(), ...wordsWithFigures(language)];
}

/** Ordinals ("ke-2", "ke-XX"), scores ("menang 2-1"), postal codes, "Rp500 ribuan", "1990-an". */
function figures(language: Language): Rule[] {
  return [
    {
      name: 'ordinal',
      pattern: /(?<![\p{L}\p{N}])[Kk]e-\s?(?:(\d{1,12})|([IVXLC]{1,8}))(?![\p{L}\p{N}])/gu,
      read: ([, digits, numeral]) => {
        const value = digits ?? parseRoman(numeral!)?.toString();
        return value === undefined ? undefined : language.ordinal(value);
      },
    },
    {
      name: 'score',
      pattern:
        /(?<=(?<!\p{L})(?:skor|menang|kalah|unggul|imbang|kedudukan|takluk) )(\d{1,2})\s?[-–]\s?(\d{1,2})(?![\p{L}\p{N}]|[-–.,]\d)/giu,
      read: ([, own, other]) => `${language.cardinal(own!)} ${language.cardinal(other!)}`,
    },
    {
      name: 'postal code after a place',
      pattern:
        /(?<=\p{Lu}\p{Ll}{2,20},? )[1-9]\d{4}(?![\p{L}\p{N}]|[.,-]\d| (?:orang|rupiah|unit|jiwa|buah|kali)(?!\p{L}))/gu,
      read: ([code]) => readDigits(code, language),
    },
    {
      name: 'rounded amount',
      pattern:
        /(?<![\p{L}\p{N}])Rp\.?\s?(\d{1,3}(?:\.\d{3}){1,4}|\d{1,12})(?:\s?(ribu|juta|miliar))?-?an(?!\p{L})/gu,
      read: ([, digits, magnitude]) =>
        `${language.cardinal(digits!.replaceAll('.', ''))}${magnitude ? ` ${magnitude}` : ''}an rupiah`,
    },
    {
      name: 'decade',
      pattern: /(?<![\p{L}\p{N}.,])(\d{1,6})-?an(?![\p{L}\p{N}])/gu,
      read: ([, digits]) => `${language.cardinal(digits!)}an`,
    },
  ];
}

function eras(): Rule[] {
  return [
    { name: 'before Christ', pattern: /(?<=\d )SM(?!\p{L})/gu, read: () => 'sebelum Masehi' },
    {
      name: 'anno Domini',
      pattern: /(?<=(?:ke-\d{1,2}|[Tt]ahun \d{1,4}) )M(?!\p{L})/gu,
      read: () => 'Masehi',
    },
  ];
}

/** Words doubled with a 2 ("anak2"), and prefixes before a figure ("ber-3"). */
function wordsWithFigures(language: Language): Rule[] {
  return [
    {
      name: 'doubled word',
      pattern: /(?<![\p{L}\p{N}])(\p{L}\p{Ll}{2,20})[2²](nya|an)?(?![\p{L}\p{N}])/gu,
      read: ([, word, suffix]) => `${word!}-${word!.toLowerCase()}${suffix ?? ''}`,
    },
    {
      name: 'prefix and figure',
      pattern: /(?<![\p{L}\p{N}])([Bb]er|[Ss]e|[Pp]er)-(\d{1,9})(?![\p{L}\p{N}])/gu,
      read: ([, prefix, digits]) => `${prefix!}${language.cardinal(digits!)}`,
    },
  ];
}
