import type { Language } from '../language.js';
import { anyOf, type Rule } from '../rule.js';
import { isQuoted } from './quotation.js';

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

/** "1/2", "2 3/4", "½", "3½", "1/2 kg", and the few that are no fractions: "24/7", "9/11", "20/20". */
export function fractions(language: Language): Rule[] {
  const unit = `(?:\\s?(?<unit>${anyOf(language.units.keys())})(?![\\p{L}\\p{N}])|(?<inch>"))?`;
  return [
    {
      name: 'fixed phrase',
      pattern:
        /(?<![\p{L}\p{N}.,/])(?:24\/7(?:\/365)?|9\/11|20\/20|50\/50|20\/\d{2,3}(?= (?:vision|eyesight)))(?![\p{L}\p{N}/])/gu,
      read: ([phrase]) =>
        phrase
          .split('/')
          .map((number) => (number.length > 2 ? language.pairs(number) : language.cardinal(number)))
          .join(' '),
    },
    {
      name: 'fraction sign',
      pattern: new RegExp(`(?<![\\p{L}\\p{N}.,])(?:(?<whole>\\d{1,6})\\s?)?(?<sign>[${SIGN}])${unit}`, 'gu'),
      read: (match) => readFraction(match, SIGNS[match.groups!.sign!]!, language),
    },
    {
      name: 'fraction',
      pattern: new RegExp(
        '(?<![\\p{L}\\p{N}.,/])(?:(?<whole>\\d{1,4})[ -])?(?<numerator>\\d{1,4})/(?<denominator>\\d{1,4})' +
          `(?![\\p{N}/]|[.,]\\d)${unit}(?!\\p{L})`,
        'gu',
      ),
      read: (match) => {
        const { whole, numerator, denominator } = match.groups!;
        return Number(numerator) < Number(denominator)
          ? readFraction(match, [numerator!, denominator!], language)
          : over(whole, numerator!, denominator!, language);
      },
    },
  ];
}

/** "three quarters", "two and a half kilograms"; a unit of which there is only a part is singular: "half a kilogram". */
function readFraction(
  match: RegExpExecArray,
  [numerator, denominator]: readonly [string, string],
  language: Language,
): string {
  const { whole, unit, inch } = match.groups!;
  const part = language.fraction(numerator, denominator);
  const sign = inch !== undefined && !isQuoted(match) ? 'in' : (unit ?? '');
  const [one, many] = language.units.get(sign)?.name ?? [];
  if (whole) return [language.mixed(language.cardinal(whole), part), ...(many ? [many] : [])].join(' ');
  return one === undefined ? part : language.partOf(part, one);
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
