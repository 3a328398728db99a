import type { Language } from '../language.js';
import { anyOf, type Rule } from '../rule.js';

const VALUES: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };
const VALID = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;

/** Roman numerals: after the names of rulers as ordinals, after headings and other names as cardinals. */
export function romanNumerals(language: Language): Rule[] {
  const rule = (name: string, source: string, say: (digits: string) => string): Rule => ({
    name,
    pattern: new RegExp(`${source}(?![\\p{L}\\p{N}'-])`, 'gu'),
    read: ([numeral]) => {
      const value = parseRoman(numeral.toUpperCase());
      return value === undefined ? undefined : say(String(value));
    },
  });
  return [
    rule(
      'numeral of a ruler',
      `(?<=(?<!\\p{L})${anyOf(language.regnalNames)} )[IVX]{1,6}`,
      (digits) => `${language.regnalJoin}${language.ordinal(digits)}`,
    ),
    rule(
      'numeral after a heading',
      `(?<=(?<!\\p{L})${anyOf(language.numeralHeadings)} )[IVXLC]{1,9}`,
      (digits) => language.cardinal(digits),
    ),
    rule(
      'small numeral after a heading',
      `(?<=(?<!\\p{L})${anyOf(language.numeralHeadings)} )(?:i{2,3}|i?v|vi{1,3}|i?x|xi{1,3})`,
      (digits) => language.cardinal(digits),
    ),
    rule('numeral after a name', '(?<=\\p{Lu}\\p{L}{1,30} )(?:I{2,3}|IV|VI{0,3}|IX|X[IVX]{1,5})', (digits) =>
      language.cardinal(digits),
    ),
  ];
}

export function parseRoman(numeral: string): number | undefined {
  if (numeral === '' || !VALID.test(numeral)) return undefined;
  const values = Array.from(numeral, (letter) => VALUES[letter]!);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
