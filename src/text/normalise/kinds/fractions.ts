import type { Language } from '../language.js';
import type { Rule } from '../rule.js';

const SIGNS: Record<string, readonly [string, string]> = {
  '½': ['1', '2'],
  '⅓': ['1', '3'],
  '⅔': ['2', '3'],
  '¼': ['1', '4'],
  '¾': ['3', '4'],
  '⅕': ['1', '5'],
  '⅖': ['2', '5'],
  '⅗': ['3', '5'],
  '⅘': ['4', '5'],
  '⅙': ['1', '6'],
  '⅚': ['5', '6'],
  '⅛': ['1', '8'],
  '⅜': ['3', '8'],
  '⅝': ['5', '8'],
  '⅞': ['7', '8'],
};
const SIGN = Object.keys(SIGNS).join('');

/** "1/2", "2 3/4", "½", "3½", and the few that are no fractions: "24/7", "9/11". */
export function fractions(language: Language): Rule[] {
  const read = (whole: string | undefined, numerator: string, denominator: string) => {
    const part = language.fraction(numerator, denominator);
    return whole ? language.mixed(language.cardinal(whole), part) : part;
  };
  return [
    {
      name: 'fixed phrase',
      pattern: /(?<![\p{L}\p{N}.,/])(24\/7|9\/11)(?![\p{L}\p{N}/])/gu,
      read: ([phrase]) => phrase.split('/').map(language.cardinal).join(' '),
    },
    {
      name: 'fraction sign',
      pattern: new RegExp(`(?<![\\p{L}\\p{N}.,])(?:(\\d{1,6})\\s?)?([${SIGN}])`, 'gu'),
      read: ([, whole, sign]) => read(whole, ...SIGNS[sign!]!),
    },
    {
      name: 'fraction',
      pattern: /(?<![\p{L}\p{N}.,/])(?:(\d{1,4})[ -])?(\d{1,4})\/(\d{1,4})(?![\p{L}\p{N}/]|[.,]\d)/gu,
      read: ([, whole, numerator, denominator]) =>
        Number(numerator) < Number(denominator)
          ? read(whole, numerator!, denominator!)
          : over(whole, numerator!, denominator!, language),
    },
  ];
}

/** "120/80" is no part of anything. */
function over(whole: string | undefined, top: string, bottom: string, language: Language): string {
  const join = language.tag.startsWith('en') ? 'over' : language.words.per;
  return [
    ...(whole ? [language.cardinal(whole)] : []),
    language.cardinal(top),
    join,
    language.cardinal(bottom),
  ].join(' ');
}
