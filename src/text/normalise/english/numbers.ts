import { MOST_CARDINAL_DIGITS } from '../numbers.js';

export const DIGITS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
] as const;
const TEENS = [
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion'];
const IRREGULAR_ORDINALS = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);
const FRACTION_NAMES = new Map([
  ['2', ['half', 'halves']],
  ['4', ['quarter', 'quarters']],
]);

/** `british`: "one hundred and five". */
export function cardinal(digits: string, british = false): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > MOST_CARDINAL_DIGITS)
    return Array.from(digits, (d) => DIGITS[Number(d)]).join(' ');
  const groups = significant.match(/\d{1,3}(?=(?:\d{3}){0,6}$)/g) ?? ['0'];
  const words = groups.flatMap((group, index) => {
    const scale = SCALES[groups.length - 1 - index]!;
    const isLast = index === groups.length - 1 && groups.length > 1;
    return belowThousand(Number(group), british, isLast).concat(Number(group) > 0 && scale ? [scale] : []);
  });
  return words.join(' ') || 'zero';
}

function belowThousand(value: number, british: boolean, follows: boolean): string[] {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const words = hundreds > 0 ? [DIGITS[hundreds]!, 'hundred'] : [];
  if (rest === 0) return words;
  if (british && (hundreds > 0 || follows)) words.push('and');
  return [...words, belowHundred(rest)];
}

function belowHundred(value: number): string {
  if (value < 10) return DIGITS[value]!;
  if (value < 20) return TEENS[value - 10]!;
  const unit = value % 10;
  return TENS[Math.floor(value / 10)]! + (unit > 0 ? `-${DIGITS[unit]}` : '');
}

export function ordinal(digits: string, british = false): string {
  const words = cardinal(digits, british);
  const border = Math.max(words.lastIndexOf(' '), words.lastIndexOf('-')) + 1;
  const last = words.slice(border);
  return words.slice(0, border) + (IRREGULAR_ORDINALS.get(last) ?? last.replace(/y$/, 'ie') + 'th');
}

/** "nineteen eighty-four", "two thousand five", "nineteen oh five", "eighteen hundred". */
export function year(digits: string): string {
  const value = Number(digits);
  const rest = value % 100;
  if (digits.length !== 4 || value < 1000 || (value % 1000 < 10 && value >= 1000)) return cardinal(digits);
  const century = belowHundred(Math.floor(value / 100));
  if (rest === 0) return `${century} hundred`;
  return `${century} ${rest < 10 ? `oh ${DIGITS[rest]}` : belowHundred(rest)}`;
}

/** "seven twenty", "ten eighty", "one oh one", "six hundred". */
export function pairs(digits: string): string {
  const [head, tail] = [cardinal(digits.slice(0, -2)), Number(digits.slice(-2))];
  if (tail === 0) return `${head} hundred`;
  return `${head} ${tail < 10 ? 'oh ' : ''}${belowHundred(tail)}`;
}

/** "nineteen nineties", "two thousands", "twenty tens"; of 1990, or of 90 alone. */
export function decade(digits: string): string {
  const words = digits.length === 2 ? belowHundred(Number(digits)) : year(digits);
  return words.endsWith('y') ? words.slice(0, -1) + 'ies' : words + 's';
}

/** "one half", "three quarters", "five eighths", "seven over three hundred". */
export function fraction(numerator: string, denominator: string, british = false): string {
  const count = cardinal(numerator, british);
  if (denominator.length > 3 || /^0*[01]$/.test(denominator)) {
    return `${count} over ${cardinal(denominator, british)}`;
  }
  const one = Number(numerator) === 1;
  const name = FRACTION_NAMES.get(denominator)?.[one ? 0 : 1];
  return `${count} ${name ?? ordinal(denominator, british) + (one ? '' : 's')}`;
}

/** "two and a half". */
export function mixed(whole: string, part: string): string {
  return `${whole} and ${part
    .replace(/^one (?=[hq])/, 'a ')
    .replace(/^one (?=[aeiou])/, 'an ')
    .replace(/^one /, 'a ')}`;
}

/** "half a kilogram", "three quarters of an hour". */
export function partOf(part: string, unit: string): string {
  const article = /^(?:[aeiou]|hour)/.test(unit) ? 'an' : 'a';
  return part === 'one half' ? `half ${article} ${unit}` : `${part} of ${article} ${unit}`;
}
