import { isDay, type Day } from './calendar.js';
import { readAddress } from './kinds/web.js';
import type { Language } from './language.js';
import { normalise } from './normalise.js';
import { groupDigits, readDigitGroups, readDigits } from './numbers.js';
import type { Grammar } from './rules.js';
import { spellOut } from './spelling.js';

type Reader = (
  text: string,
  grammar: Grammar,
  language: Language,
  format: string | undefined,
) => string | undefined;

/** The order of day, month and year in SSML's `format`; `m` alone is the month. */
const DATE_FORMATS = new Set(['mdy', 'dmy', 'ymd', 'md', 'dm', 'ym', 'my', 'd', 'm', 'y']);

const digitsOf = (text: string) => text.replace(/\D/g, '');

const READERS: Record<string, Reader> = {
  cardinal: (text, grammar) => readAsUsual(text.replace(/(?<=\d)[ \u2009](?=\d{3})/g, ''), grammar),
  number: (text, grammar) => readAsUsual(text, grammar),
  ordinal: (text, _grammar, language) => (digitsOf(text) ? language.ordinal(digitsOf(text)) : undefined),
  characters: (text, _grammar, language) => spellOut(text, language),
  'spell-out': (text, _grammar, language) => spellOut(text, language),
  verbatim: (text, _grammar, language) => spellOut(text, language),
  digits: (text, _grammar, language) => (digitsOf(text) ? readDigits(digitsOf(text), language) : undefined),
  telephone: (text, _grammar, language) => readTelephone(text, language),
  fraction: (text, _grammar, language) => readFraction(text, language),
  date: (text, grammar, language, format) => readDate(text, grammar, language, format),
  time: (text, grammar) => readAsUsual(text, grammar),
  currency: (text, grammar) => readAsUsual(text, grammar),
  money: (text, grammar) => readAsUsual(text, grammar),
  unit: (text, grammar) => readAsUsual(text, grammar),
  measure: (text, grammar) => readAsUsual(text, grammar),
  address: (text, grammar) => readAsUsual(text, grammar),
  name: (text, grammar) => readAsUsual(text, grammar),
  url: (text, _grammar, language) => readAddress(text.trim(), language),
};

export const INTERPRETATIONS: readonly string[] = Object.keys(READERS);

export function isDateFormat(format: string): boolean {
  return DATE_FORMATS.has(format);
}

/** The words for text whose kind SSML's <say-as> tells; undefined leaves it to the rules. */
export function sayAs(
  text: string,
  kind: string,
  format: string | undefined,
  grammar: Grammar,
): string | undefined {
  const { language } = grammar;
  return language ? READERS[kind]?.(text, grammar, language, format) : undefined;
}

/** By the rules, as if it stood alone. */
function readAsUsual(text: string, grammar: Grammar): string {
  let said = '';
  let at = 0;
  for (const { start, end, words } of normalise(text, grammar.rules)) {
    said += `${text.slice(at, start)} ${words} `;
    at = end;
  }
  return (said + text.slice(at)).replace(/\s+/g, ' ').trim();
}

function readTelephone(text: string, language: Language): string | undefined {
  const groups = (text.match(/\d+/g) ?? []).flatMap((group) =>
    group.length > 5 ? groupDigits(group) : [group],
  );
  if (groups.length === 0) return undefined;
  return (text.trim().startsWith('+') ? 'plus ' : '') + readDigitGroups(groups, language);
}

function readFraction(text: string, language: Language): string | undefined {
  const [, whole, numerator, denominator] =
    /^\s*(?:(\d{1,9})[ +]\s*)?(\d{1,9})\s*\/\s*(\d{1,9})\s*$/.exec(text) ?? [];
  if (numerator === undefined || denominator === undefined) return undefined;
  const part = language.fraction(numerator, denominator);
  return whole ? language.mixed(language.cardinal(whole), part) : part;
}

/** With a format the order is settled, and the day is handed to the rules in the one form that is never ambiguous. */
function readDate(text: string, grammar: Grammar, language: Language, format = ''): string | undefined {
  const numbers = text.match(/\d+/g) ?? [];
  if (format.length !== 3 || numbers.length !== 3) {
    return format === 'y' && numbers.length === 1 ? language.year(numbers[0]) : readAsUsual(text, grammar);
  }
  const part = (letter: string) => numbers[format.indexOf(letter)]!;
  const date: Day = { day: Number(part('d')), month: Number(part('m')), year: part('y') };
  if (!isDay(date)) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const year =
    part('y').length === 2 ? (Number(part('y')) < 50 ? '20' : '19') + part('y') : part('y').padStart(4, '0');
  return readAsUsual(`${year}-${two(date.month)}-${two(date.day)}`, grammar);
}
