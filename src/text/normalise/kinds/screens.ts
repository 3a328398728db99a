import type { Language } from '../language.js';
import { numberPattern, isOne, parseNumber, readNumber } from '../numbers.js';
import type { Rule } from '../rule.js';
import { spell } from '../spelling.js';
import { isQuoted } from './quotation.js';

/** Lines of a picture, with the pictures a second: "1080p", "480i", "2160p60". */
const LINES =
  /(?<![\p{L}\p{N}.,])(240|360|480|540|576|720|1080|1440|2160|4320)([pi])(\d{2,3})?(?![\p{L}\p{N}])/gu;

/** Sizes of pictures and of what is measured in inches: "1080p", "a 27\" screen", "8.5\" x 11\"". */
export function screens(language: Language): Rule[] {
  const inch = language.units.get('in')!.name;
  return [
    {
      name: 'lines of a picture',
      pattern: LINES,
      read: ([, lines, scan, rate]) => {
        const name = `${language.pairs(lines!)} ${spell(scan!, language)}`;
        return rate === undefined ? name : `${name} ${language.cardinal(rate)}`;
      },
    },
    {
      name: 'inches',
      pattern: new RegExp(
        `(?<![\\p{L}\\p{N}'"]|\\d[.,/])(${numberPattern(language)})"(?![\\p{L}\\p{N}"])`,
        'gu',
      ),
      read: (match) => {
        if (isQuoted(match)) return undefined;
        const number = parseNumber(match[1]!, language);
        // "a five inch pipe", "five inches of snow".
        const isOfAThing = /^ (?!of |di |x )\p{Ll}/u.test(match.input.slice(match.index + match[0].length));
        return `${readNumber(number, language)} ${inch[isOne(number) || isOfAThing ? 0 : 1]}`;
      },
    },
  ];
}
