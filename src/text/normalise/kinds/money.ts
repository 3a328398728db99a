import type { Currency } from '../currencies.js';
import type { Counted, Language, NumberLiteral } from '../language.js';
import { isOne, readNumber } from '../numbers.js';
import { AFTER_WORD, anyOf, type Rule } from '../rule.js';

/** Digits with marks of either habit between them: amounts travel between languages. */
const AMOUNT = "\\d[\\d.,']{0,24}\\d|\\d";

/** Amounts with the sign, name or code of a currency, before or after; ranges, magnitudes, "per month". */
export function money(language: Language): Rule[] {
  const signs = anyOf(language.currencies.keys());
  const magnitude = `(?:\\s?(?<magnitude>${anyOf(language.magnitudes.keys())})${AFTER_WORD})?`;
  const per = `(?:\\s?/\\s?(?<per>${anyOf(language.per.keys())})${AFTER_WORD})?`;
  const until = (sign: string) => `(?:\\s?[-–—]\\s?${sign}(?<until>${AMOUNT}))?`;
  const before =
    `(?<![\\p{L}\\p{N}$])(?<minus>[-−]?)(?<sign>${signs})\\s?(?<minusAfter>[-−]?)(?<amount>${AMOUNT})` +
    `${until(`(?:${signs}\\s?)?`)}(?:,[-–]{1,2})?${magnitude}${per}`;
  const after =
    `(?<![\\p{L}\\p{N}]|\\d[.,])(?<minus>[-−]?)(?<amount>${AMOUNT})${until('')}(?:,[-–]{1,2})?${magnitude}` +
    `\\s?(?<sign>${signs})${AFTER_WORD}${per}`;
  const minor = `(?<![\\p{L}\\p{N}.,])(?<amount>\\d{1,4})(?<sign>${anyOf(language.minorSigns.keys())})${AFTER_WORD}`;
  return [
    { name: 'money', pattern: new RegExp(before, 'gu'), read: (match) => readMoney(match, language) },
    {
      name: 'money, sign after',
      pattern: new RegExp(after, 'gu'),
      read: (match) => readMoney(match, language),
    },
    { name: 'cents', pattern: new RegExp(minor, 'gu'), read: (match) => readMinor(match, language) },
  ];
}

function readMoney(match: RegExpExecArray, language: Language): string | undefined {
  const { minus, minusAfter, sign, amount, until, magnitude, per } = match.groups!;
  const currency = language.currencies.get(sign!)!;
  const first = parseAmount(amount!, sign!, language);
  const last = until === undefined ? undefined : parseAmount(until, sign!, language);
  const factor = magnitude === undefined ? '' : ` ${language.magnitudes.get(magnitude)!}`;
  const singular = isAttribute(match, language);
  const sum = last
    ? `${readNumber(first, language)} ${language.words.to} ${readSum(last, currency, factor, singular, language)}`
    : readSum(first, currency, factor, singular, language);
  const negative = minus || minusAfter ? `${language.words.minus} ` : '';
  const rate = per === undefined ? '' : ` ${language.words.per} ${language.per.get(per)!}`;
  return negative + sum + rate;
}

/** In "a $5 bill" the amount is an adjective. */
function isAttribute(match: RegExpExecArray, { tag }: Language): boolean {
  const before = match.input.slice(Math.max(0, match.index - 4), match.index);
  return tag.startsWith('en') && /(?:^|\s)an? $/i.test(before);
}

function readSum(
  amount: NumberLiteral,
  { units, cents }: Currency,
  factor: string,
  singular: boolean,
  language: Language,
): string {
  const whole = (number: NumberLiteral) =>
    `${readNumber(number, language)}${factor} ${name(units, singular || (isOne(number) && !factor))}`;
  if (factor || amount.fraction.length !== 2 || (!cents && Number(amount.fraction) > 0))
    return whole(trimmed(amount));
  const integer = { integer: amount.integer, fraction: '' };
  const part = { integer: String(Number(amount.fraction)), fraction: '' };
  if (part.integer === '0' || !cents) return whole(integer);
  const minor = `${readNumber(part, language)} ${name(cents, isOne(part))}`;
  if (Number(amount.integer) === 0) return minor;
  return [whole(integer), ...(language.tag.startsWith('en') ? [language.words.and] : []), minor].join(' ');
}

function readMinor(match: RegExpExecArray, language: Language): string {
  const { amount, sign } = match.groups!;
  const number = { integer: amount!, fraction: '' };
  return `${readNumber(number, language)} ${name(language.minorSigns.get(sign!)!, isOne(number))}`;
}

function name([one, many]: Counted, singular: boolean): string {
  return singular ? one : many;
}

function trimmed({ integer, fraction }: NumberLiteral): NumberLiteral {
  return { integer, fraction: /^0*$/.test(fraction) ? '' : fraction };
}

/**
 * The last of two kinds of marks is the decimal one; a mark that comes twice groups; one that comes once groups when
 * it is the language's (or the currency's) grouping mark and three digits follow.
 */
function parseAmount(written: string, sign: string, language: Language): NumberLiteral {
  const decimalAt = decimalMarkAt(written, language.groupMark + (isRupiah(sign) ? '.' : ''));
  const digits = (text: string) => text.replace(/[.,']/g, '');
  if (decimalAt === -1) return { integer: digits(written), fraction: '' };
  return { integer: digits(written.slice(0, decimalAt)), fraction: digits(written.slice(decimalAt + 1)) };
}

function decimalMarkAt(written: string, groupMarks: string): number {
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','));
  if (last === -1) return -1;
  const mark = written[last]!;
  const other = mark === '.' ? ',' : '.';
  if (written.includes(other)) return last;
  if (written.indexOf(mark) !== last) return -1;
  return groupMarks.includes(mark) && written.length - last === 4 ? -1 : last;
}

function isRupiah(sign: string): boolean {
  return sign.startsWith('Rp') || sign === 'IDR';
}
