import {
  ISO_DATE,
  NUMERIC_DATE,
  fullYear,
  isDay,
  isoDay,
  numericDay,
  timeOf,
  type Day,
} from '../calendar.js';
import type { Language } from '../language.js';
import { anyOf, type Rule } from '../rule.js';
import { decade } from './numbers.js';
import { readClock } from './times.js';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const WEEKDAYS = new Map(
  Object.entries({
    Mon: 'Monday',
    Tue: 'Tuesday',
    Tues: 'Tuesday',
    Wed: 'Wednesday',
    Thu: 'Thursday',
    Thur: 'Thursday',
    Thurs: 'Thursday',
    Fri: 'Friday',
    Sat: 'Saturday',
    Sun: 'Sunday',
  }),
);

const MONTH = `(?<month>${anyOf([...MONTHS, ...MONTHS.map((name) => name.slice(0, 3)), 'Sept'])})(?!\\p{L})\\.?`;
const SUFFIX = '(?:st|nd|rd|th)?';
const YEAR = "(?<year>[12]\\d{3}|'\\d{2})";
const UNTIL = `(?:\\s?[-–—]\\s?(?<until>\\d{1,2})${SUFFIX})?`;
const START = '(?<![\\p{L}\\p{N}.,/-])';
const END = '(?![\\p{L}\\p{N}]|[-–/:.,]\\d)';

/** Dates in figures and words, days of the week; `british` puts the day first. */
export function englishDates(language: Language, british: boolean): Rule[] {
  return [...numericDates(language, british), ...writtenDates(language, british), ...weekdays()];
}

function numericDates(language: Language, british: boolean): Rule[] {
  return [
    {
      name: 'ISO date',
      pattern: ISO_DATE,
      read: ({ groups }) => {
        const date = isoDay(groups!);
        if (!date) return undefined;
        const time = timeOf(groups!);
        const zone = groups!.zone === 'Z' ? ' U.T.C' : '';
        return readDay(date, language, british) + (time ? ` at ${readClock(time, language)}${zone}` : '');
      },
    },
    {
      name: 'numeric date',
      pattern: NUMERIC_DATE,
      read: ({ groups }) => {
        const { first, mark, second, year } = groups!;
        const date = numericDay(first!, second!, year!, !british && mark !== '.');
        return date && readDay(date, language, british);
      },
    },
  ];
}

function writtenDates(language: Language, british: boolean): Rule[] {
  const read = ({ groups, input, index }: RegExpExecArray, dayFirst: boolean) => {
    const { day, month, until, year } = groups!;
    const date = { day: Number(day), month: monthNumber(month!), year };
    if (!isDay(date)) return undefined;
    const hasArticle = /\bthe $/i.test(input.slice(Math.max(0, index - 4), index));
    return readDay(date, language, british || (dayFirst && hasArticle), until, hasArticle);
  };
  return [
    {
      name: 'month and day',
      pattern: new RegExp(
        `${START}${MONTH}\\s(?<day>\\d{1,2})${SUFFIX}${UNTIL}(?:,?\\s${YEAR})?${END}`,
        'gu',
      ),
      read: (match) => read(match, false),
    },
    {
      name: 'day and month',
      pattern: new RegExp(
        `${START}(?<day>\\d{1,2})${SUFFIX}${UNTIL}\\s(?:of\\s)?${MONTH}(?:,?\\s${YEAR})?${END}`,
        'gu',
      ),
      read: (match) => read(match, true),
    },
    {
      name: 'short month alone',
      // With a full stop some are no other word; the others, and those without, only after a word of time.
      pattern:
        /(?<![\p{L}\p{N}])(?:Feb|Aug|Sept|Oct|Nov|Dec)\.(?!\p{L})|(?<=(?<!\p{L})(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Ll]ast|[Nn]ext|[Ee]arly|[Ll]ate|of|mid|[Tt]his) )(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)(?:\.|(?<=Feb|Aug|Sept|Oct|Nov|Dec))(?![\p{L}'-])/gu,
      read: ([name]) => MONTHS[monthNumber(name) - 1],
    },
    {
      name: 'month and year',
      pattern: new RegExp(`${START}${MONTH},?\\s${YEAR}${END}`, 'gu'),
      read: ({ groups }) =>
        `${MONTHS[monthNumber(groups!.month!) - 1]!} ${readYear(groups!.year!, language)}`,
    },
  ];
}

/** "March fifth twenty twenty-four", or "the fifth of March …". */
function readDay(
  date: Day,
  language: Language,
  dayFirst: boolean,
  until?: string,
  hasArticle = false,
): string {
  const month = MONTHS[date.month - 1]!;
  const last = until === undefined ? '' : ` to ${language.ordinal(until)}`;
  const day = language.ordinal(String(date.day)) + last;
  const year = date.year === undefined ? '' : ` ${readYear(date.year, language)}`;
  return dayFirst ? `${hasArticle ? '' : 'the '}${day} of ${month}${year}` : `${month} ${day}${year}`;
}

function readYear(written: string, language: Language): string {
  const digits = written.replace("'", '');
  return written.startsWith("'") ? language.cardinal(digits) : language.year(fullYear(digits));
}

function monthNumber(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1;
}

function weekdays(): Rule[] {
  const day = anyOf(WEEKDAYS.keys());
  return [
    {
      name: 'range of weekdays',
      pattern: new RegExp(`${START}(${day})\\.?\\s?[-–—]\\s?(${day})(?!\\p{L})`, 'gu'),
      read: ([, from, to]) => `${WEEKDAYS.get(from!)!} to ${WEEKDAYS.get(to!)!}`,
    },
    {
      name: 'weekday',
      pattern: new RegExp(`${START}(?:${day}\\.|${day}(?=,?\\s(?:\\d|[JFMASOND][a-z]{2})))(?!\\p{L})`, 'gu'),
      read: ([written]) => WEEKDAYS.get(written.replace('.', '')),
    },
  ];
}

const BEFORE_YEAR =
  '(?:in|since|from|by|of|until|till|to|before|after|during|around|circa|year|early|late|mid|between|and|class|[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter|©|c\\.|ca\\.|[Ii]n|[Ss]ince|[Ff]rom|[Bb]y)';

/** "1990s", "'90s", "in her 20s". */
export function englishDecades(): Rule[] {
  return [
    {
      name: 'decade',
      pattern: /(?<![\p{L}\p{N}.,])(?:([12]\d{2}0)'?s|'([1-9]0)'?s)(?![\p{L}\p{N}])/gu,
      read: ([, full, short]) => decade(full ?? short!),
    },
    {
      name: 'short decade',
      pattern:
        /(?<![\p{L}\p{N}.,'])([2-9]0)s(?= (?:music|songs?|hits|pop|rock|fashion|style|movies?|films?|kids?|party|era|nostalgia|hip|disco|sitcoms?|cartoons?)(?!\p{L}))/gu,
      read: ([, digits]) => decade(digits!),
    },
    {
      name: 'decade of a life',
      pattern: /(?<=(?:the|his|her|their|my|our|your|early|late|mid)[ -])([2-9]0)s(?![\p{L}\p{N}])/gu,
      read: ([, digits]) => decade(digits!),
    },
  ];
}

/** Numbers that are likely years. */
export function englishYears(language: Language): Rule[] {
  return [
    {
      name: 'year in context',
      pattern: new RegExp(`(?<=(?<!\\p{L})${BEFORE_YEAR} )[12]\\d{3}(?![\\p{L}\\p{N}%]|[-–,.:/]\\d)`, 'gu'),
      read: ({ 0: digits, input, index }) =>
        countsThings(input, index + 4) ? undefined : language.year(digits),
    },
    {
      name: 'year of a quarter',
      pattern: /(?<=(?<!\p{L})(?:Q[1-4] |H[12] |FY ?))(?:19|20)\d{2}(?![\p{L}\p{N}]|[.,/-]\d)/gu,
      read: ([digits]) => language.year(digits),
    },
    {
      name: 'year with era',
      pattern: /(?<![\p{L}\p{N}.,])(\d{1,4})(?=\s(?:AD|BC|BCE|CE|A\.D\.|B\.C\.)(?!\p{L}))/gu,
      read: ([, digits]) => language.year(digits!),
    },
    {
      name: 'year in brackets',
      pattern: /(?<=[(['])[12]\d{3}(?=[)\]'])/gu,
      read: ([digits]) => language.year(digits),
    },
    {
      name: 'year',
      pattern: /(?<![\p{L}\p{N}$€£#+~-]|[\d.,][.,]|\d[ :/])(?:19|20)\d{2}(?![\p{L}\p{N}%°]|[-–,.:/]\d)/gu,
      read: ({ 0: digits, input, index }) =>
        countsThings(input, index + 4) ? undefined : language.year(digits),
    },
  ];
}

/** "2000 apples", "2024 people": a plural follows. */
function countsThings(input: string, end: number): boolean {
  const [, next] = /^ ([a-z]{2,20})(?![a-z'])/.exec(input.slice(end, end + 22)) ?? [];
  if (next === undefined || ['was', 'is', 'has', 'as', 'its', 'does', 'this', 'us', 'towards'].includes(next))
    return false;
  return /(?:[^s]s|people|men|women|children|feet|more|other|different|of)$/.test(next) && next !== 'of';
}
