/** A day as numbers; the year as written, with four digits or two. */
export interface Day {
  day: number;
  month: number;
  year: string | undefined;
}

/** ISO 8601, with or without a time after a `T`; and the year first with slashes. */
export const ISO_DATE =
  /(?<![\p{L}\p{N}.,/-])(?<year>\d{4})(?<mark>[-/])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?:T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d{1,9})?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?(?![\p{L}\p{N}/-])/gu;

/** "5/3/2024", "05-03-2024", "5.3.2024"; a year of two digits only after slashes. */
export const NUMERIC_DATE =
  /(?<![\p{L}\p{N}.,/-])(?<first>\d{1,2})(?<mark>[/.-])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|(?<=\/)\d{2})(?![\p{L}\p{N}/-]|[.,]\d)/gu;

export function isDay({ day, month }: Day): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** The day of a numeric date; where only one order is possible, that order. */
export function numericDay(
  first: string,
  second: string,
  year: string,
  monthFirst: boolean,
): Day | undefined {
  const habit = {
    day: Number(monthFirst ? second : first),
    month: Number(monthFirst ? first : second),
    year,
  };
  if (isDay(habit)) return habit;
  const other = { day: habit.month, month: habit.day, year };
  return isDay(other) ? other : undefined;
}

/** "24" → "2024", "98" → "1998". */
export function fullYear(year: string): string {
  if (year.length !== 2) return year;
  return (Number(year) < 50 ? '20' : '19') + year;
}

/** The ISO date's day, where it is one. */
export function isoDay({ year, month, day }: Record<string, string | undefined>): Day | undefined {
  const date = { day: Number(day), month: Number(month), year };
  return isDay(date) ? date : undefined;
}

/** The ISO date's time of day, "14:30:00"; undefined without one. */
export function timeOf({ hour, minute, second }: Record<string, string | undefined>): string | undefined {
  if (hour === undefined) return undefined;
  return [hour, minute, ...(second !== undefined && Number(second) > 0 ? [second] : [])].join(':');
}
