import type { Language, NumberLiteral } from './language.js';

/** Longer runs of digits are read one by one: nobody says "sextillion". */
export const MOST_CARDINAL_DIGITS = 18;

/** Source of an expression for a number as the language writes it, without sign; no groups inside. */
export function numberPattern({
  groupMark,
  decimalMark,
}: Pick<Language, 'groupMark' | 'decimalMark'>): string {
  const group = `[${groupMark}]`;
  const fraction = `(?:[${decimalMark}]\\d{1,20})?`;
  const grouped = `\\d{1,3}(?:${group}\\d{3}){1,6}(?!\\d)${fraction}`;
  // Indonesian texts write 3.5 as well as 3,5: a mark that does not group is a decimal mark.
  const foreign = groupMark === '.' ? '|\\d{1,18}\\.\\d{1,2}(?![.,]?\\d)' : '';
  return `(?:${grouped}${foreign}|\\d{1,18}${fraction})`;
}

/** Of what `numberPattern` matches. */
export function parseNumber(written: string, { groupMark, decimalMark }: Language): NumberLiteral {
  const groups = new RegExp(`^\\d{1,3}(?:[${groupMark}]\\d{3})+(?=$|[${decimalMark}])`);
  const grouped = groups.exec(written)?.[0];
  if (grouped) {
    return { integer: grouped.replaceAll(groupMark, ''), fraction: written.slice(grouped.length + 1) };
  }
  const [integer = '', fraction = ''] = written.split(/[.,]/);
  return { integer, fraction };
}

export function readNumber({ integer, fraction }: NumberLiteral, language: Language): string {
  const whole =
    hasLeadingZero(integer) && !fraction ? readDigits(integer, language) : language.cardinal(integer || '0');
  return fraction ? `${whole} ${language.words.point} ${readDigits(fraction, language)}` : whole;
}

/** A number as written, or a short sum of them: used wherever a rule needs just the words. */
export function readWritten(written: string, language: Language): string {
  return readNumber(parseNumber(written, language), language);
}

export function readDigits(digits: string, { digitNames }: Language): string {
  return Array.from(digits, (digit) => digitNames[Number(digit)]).join(' ');
}

/** One by one, with a short pause between groups. */
export function readDigitGroups(groups: readonly string[], language: Language): string {
  return groups.map((group) => readDigits(group, language)).join(', ');
}

/** A long run of digits in groups of three, the last of up to four: as people give their number. */
export function groupDigits(digits: string): string[] {
  const groups: string[] = [];
  let at = 0;
  while (digits.length - at > 4) {
    groups.push(digits.slice(at, at + 3));
    at += 3;
  }
  groups.push(digits.slice(at));
  return groups;
}

export function isOne({ integer, fraction }: NumberLiteral): boolean {
  return /^0*1$/.test(integer) && fraction === '';
}

function hasLeadingZero(integer: string): boolean {
  return integer.length > 1 && integer.startsWith('0');
}
