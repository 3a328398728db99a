import { ISO_DATE, NUMERIC_DATE, fullYear, isoDay, numericDay, timeOf, type Day } from '../calendar.js';
import type { Language } from '../language.js';
import { anyOf, type Rule } from '../rule.js';
import { readClock } from './times.js';

const MONTHS = [
  ...['Januari', 'Februari', 'Maret', 'April', 'Mei', 'Juni'],
  ...['Juli', 'Agustus', 'September', 'Oktober', 'November', 'Desember'],
];
const SHORT_MONTHS = new Map(
  Object.entries({
    Jan: 'Januari',
    Feb: 'Februari',
    Peb: 'Februari',
    Mar: 'Maret',
    Apr: 'April',
    Jun: 'Juni',
    Jul: 'Juli',
    Agt: 'Agustus',
    Agu: 'Agustus',
    Agust: 'Agustus',
    Sep: 'September',
    Sept: 'September',
    Okt: 'Oktober',
    Nov: 'November',
    Nop: 'November',
    Des: 'Desember',
  }),
);

/** Dates in figures, and short names of months; the rest is read as it stands. */
export function indonesianDates(language: Language): Rule[] {
  return [
    {
      name: 'ISO date',
      pattern: ISO_DATE,
      read: ({ groups }) => {
        const date = isoDay(groups!);
        if (!date) return undefined;
        const time = timeOf(groups!);
        return readDay(date, language) + (time ? ` pukul ${readClock(time, language)}` : '');
      },
    },
    {
      name: 'numeric date',
      pattern: NUMERIC_DATE,
      read: ({ groups }) => {
        const { first, second, year } = groups!;
        const date = numericDay(first!, second!, year!, false);
        return date && readDay(date, language);
      },
    },
    {
      name: 'short month',
      pattern: new RegExp(`(?<=\\d )(${anyOf(SHORT_MONTHS.keys())})(?!\\p{L})\\.?`, 'gu'),
      read: ([, month]) => SHORT_MONTHS.get(month!),
    },
    {
      name: 'short month with a stop',
      pattern: /(?<![\p{L}\p{N}])(Feb|Agt|Agust|Sept|Okt|Nov|Nop|Des)\.(?!\p{L})/gu,
      read: ([, month]) => SHORT_MONTHS.get(month!),
    },
    {
      name: 'short month before a year',
      pattern: new RegExp(
        `(?<![\\p{L}\\p{N}])(${anyOf(SHORT_MONTHS.keys())})\\.?(?= [12]\\d{3}(?!\\d))`,
        'gu',
      ),
      read: ([, month]) => SHORT_MONTHS.get(month!),
    },
  ];
}

function readDay({ day, month, year }: Day, language: Language): string {
  return `${language.cardinal(String(day))} ${MONTHS[month - 1]!} ${language.cardinal(fullYear(year!))}`;
}
