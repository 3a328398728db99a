import type { Language } from '../language.js';
import {
  MOST_CARDINAL_DIGITS,
  groupDigits,
  numberPattern,
  parseNumber,
  readDigitGroups,
  readDigits,
  readNumber,
  readWritten,
} from '../numbers.js';
import { AFTER_NUMBER, BEFORE_NUMBER, anyOf, type Rule } from '../rule.js';
import { spell } from '../spelling.js';

/** "10–20", "1990–95", "A–Z". */
export function ranges(language: Language): Rule[] {
  const number = numberPattern(language);
  const { words } = language;
  return [
    {
      name: 'range of years',
      pattern: /(?<![\p{L}\p{N}.,-])([12]\d{3})\s?[-–—]\s?([12]\d{3}|\d\d)(?![\p{L}\p{N}]|[-–.,]\d)/gu,
      read: ([, from, to]) => `${language.year(from!)} ${words.to} ${language.year(to!)}`,
    },
    {
      name: 'range',
      pattern: new RegExp(
        `(?<![\\p{L}\\p{N}]|\\d[.,–-])(${number})(?:\\s?[–—]\\s?|-)(${number})(?![\\p{L}\\p{N}]|[.,]\\d|[-–]\\d)`,
        'gu',
      ),
      read: ({ 0: written, 1: from, 2: to, input, index }) => {
        if (/^0\d/.test(to!)) return undefined;
        const isSum = /^\s?=\s?\d/.test(input.slice(index + written.length, index + written.length + 4));
        const join = isSum ? words.minus : words.to;
        return `${readWritten(from!, language)} ${join} ${readWritten(to!, language)}`;
      },
    },
    {
      name: 'range of letters',
      pattern: /(?<![\p{L}\p{N}'-])([A-Z])[–-]([A-Z])(?![\p{L}\p{N}'-])/gu,
      read: ([, from, to]) => `${spell(from!, language)} ${words.to} ${spell(to!, language)}`,
    },
  ];
}

/** Signed numbers, powers of ten, magnitudes, and whatever digits no other rule has claimed. */
export function numbers(language: Language): Rule[] {
  return [...signed(language), ...plain(language)];
}

function signed(language: Language): Rule[] {
  const number = numberPattern(language);
  const { words } = language;
  return [
    {
      name: 'power of ten',
      pattern: new RegExp(`${BEFORE_NUMBER}(${number})[eE]([+−-]?)(\\d{1,3})(?![\\p{L}\\p{N}])`, 'gu'),
      read: ([, mantissa, sign, exponent]) =>
        [
          readWritten(mantissa!, language),
          words.times,
          language.cardinal('10'),
          words.toThePower,
          ...(sign && sign !== '+' ? [words.minus] : []),
          language.cardinal(exponent!),
        ].join(' '),
    },
    {
      name: 'about',
      // Said once where the word stands before it.
      pattern: /(?<![\p{L}\p{N})\]%])[~≈]\s?(?=[$€£¥]?\d)/gu,
      read: ({ input, index }) =>
        /(?:about|around|sekitar|kira-kira) $/i.test(input.slice(Math.max(0, index - 12), index))
          ? ''
          : words.about,
    },
    {
      name: 'signed number',
      pattern: new RegExp(
        `(?<![\\p{L}\\p{N})\\]%]|[\\p{N})\\]%]\\s)([-−+±~≈])\\s?(${number})${AFTER_NUMBER}`,
        'gu',
      ),
      read: ([, sign, written]) => `${nameOfPrefix(sign!, language)} ${readWritten(written!, language)}`,
    },
  ];
}

function nameOfPrefix(sign: string, { words }: Language): string {
  const names: Record<string, string> = {
    '+': words.plus,
    '±': words.plusOrMinus,
    '~': words.about,
    '≈': words.about,
  };
  return names[sign] ?? words.minus;
}

function plain(language: Language): Rule[] {
  const number = numberPattern(language);
  return [
    {
      name: 'long run of digits',
      pattern: new RegExp(`(?<!\\d)\\d{${MOST_CARDINAL_DIGITS + 1},}`, 'gu'),
      read: ([digits]) => readDigitGroups(groupDigits(digits), language),
    },
    {
      name: 'decimal without a whole',
      pattern: new RegExp(`(?<![\\p{L}\\p{N}.,])[${language.decimalMark}](\\d{1,18})(?!\\d)`, 'gu'),
      read: ([, digits]) => `${language.words.point} ${readDigits(digits!, language)}`,
    },
    {
      name: 'number grouped by spaces',
      pattern: /(?<!\d[ .,]?)(?:\d{1,3}(?: \d{3}){2,5}|\d{1,3} 0\d{2})(?![ .,]?\d)/gu,
      read: ([written]) => language.cardinal(written.replaceAll(' ', '')),
    },
    {
      name: "number in the other language's marks",
      pattern: new RegExp(
        `(?<!\\d[.,]?)(\\d{1,3}(?:[${language.decimalMark}]\\d{3}){1,6})[${language.groupMark}](\\d{1,2})(?![.,]?\\d)`,
        'gu',
      ),
      read: ([, integer, fraction]) =>
        readNumber({ integer: integer!.replaceAll(language.decimalMark, ''), fraction: fraction! }, language),
    },
    {
      name: 'number',
      pattern: new RegExp(`(?<!\\d[.,]?)${number}`, 'gu'),
      read: ([written]) => readNumber(parseNumber(written, language), language),
    },
    {
      name: 'digits',
      pattern: /\d{1,18}/gu,
      read: ([digits]) => readNumber({ integer: digits, fraction: '' }, language),
    },
  ];
}

/** "10k", "3 million", "2,5 juta". */
export function magnitudes(language: Language): Rule[] {
  const words = [...language.magnitudes.keys()];
  const apart = anyOf(words.filter((word) => word.length > 1));
  return [
    {
      name: 'magnitude',
      pattern: new RegExp(
        `${BEFORE_NUMBER}(${numberPattern(language)})(?:(${anyOf(words)})|\\s(${apart}))(?![\\p{L}\\p{N}])`,
        'gu',
      ),
      read: (match) => (isLabel(match) ? undefined : readMagnitude(match, language)),
    },
  ];
}

/** "Room 4B", "4K", "5T", "a 10K race" are names; "10k" and "5M" are numbers. */
function isLabel({ 1: written, 2: attached, input, index }: RegExpExecArray): boolean {
  if (attached === undefined || !/^\d{1,3}$/.test(written!)) return false;
  const before = input.slice(Math.max(0, index - 16), index);
  const after = input.slice(index + written!.length + 1).slice(0, 16);
  if (attached === 'B') return /\p{Lu}\p{L}+ $/u.test(before) || !COUNTED.test(after);
  if (attached === 'M') return /\p{Lu}\p{L}+ $/u.test(before);
  return /^[Tbm]$/.test(attached) || (attached === 'K' && (written!.length === 1 || RACE.test(after)));
}

/** A word for things: "7B people", not "2B or not 2B". */
const COUNTED = /^ (?!(?:or|and|is|was|are|but|not|the|for|with|has|atau|dan|ini|itu)\b)\p{Ll}{3}/u;
const RACE = /^ (?:race|run|runners?|walk|video|display|monitor|TV|resolution)\b/;

function readMagnitude([, written, attached, word]: RegExpExecArray, language: Language): string {
  return `${readWritten(written!, language)} ${language.magnitudes.get((attached ?? word)!)!}`;
}
