import { MOST_CARDINAL_DIGITS } from '../numbers.js';

export const DIGITS = [
  'nol',
  'satu',
  'dua',
  'tiga',
  'empat',
  'lima',
  'enam',
  'tujuh',
  'delapan',
  'sembilan',
] as const;
const SCALES = ['', 'ribu', 'juta', 'miliar', 'triliun', 'kuadriliun'];

export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > MOST_CARDINAL_DIGITS)
    return Array.from(digits, (d) => DIGITS[Number(d)]).join(' ');
  const groups = significant.match(/\d{1,3}(?=(?:\d{3}){0,6}$)/g) ?? ['0'];
  const words = groups.flatMap((group, index) => {
    const value = Number(group);
    const scale = SCALES[groups.length - 1 - index]!;
    if (value === 1 && scale === 'ribu') return ['seribu'];
    return value > 0 ? belowThousand(value).concat(scale || []) : [];
  });
  return words.join(' ') || 'nol';
}

function belowThousand(value: number): string[] {
  const hundreds = Math.floor(value / 100);
  const words = hundreds === 0 ? [] : hundreds === 1 ? ['seratus'] : [DIGITS[hundreds]!, 'ratus'];
  return value % 100 > 0 ? [...words, ...belowHundred(value % 100)] : words;
}

function belowHundred(value: number): string[] {
  if (value < 10) return [DIGITS[value]!];
  if (value === 10) return ['sepuluh'];
  if (value === 11) return ['sebelas'];
  if (value < 20) return [DIGITS[value - 10]!, 'belas'];
  return [DIGITS[Math.floor(value / 10)]!, 'puluh', ...(value % 10 > 0 ? [DIGITS[value % 10]!] : [])];
}

/** "pertama", "kedua", "kedua puluh satu". */
export function ordinal(digits: string): string {
  return Number(digits) === 1 ? 'pertama' : `ke${cardinal(digits)}`;
}

/** "setengah", "seperempat", "tiga perempat", "lima per dua belas". */
export function fraction(numerator: string, denominator: string): string {
  if (numerator === '1' && denominator === '2') return 'setengah';
  const small = /^(?:[2-9]|10)$/.test(denominator);
  if (numerator === '1' && small) return `seper${cardinal(denominator)}`;
  if (small) return `${cardinal(numerator)} per${cardinal(denominator)}`;
  return `${cardinal(numerator)} per ${cardinal(denominator)}`;
}

/** "satu setengah", "dua tiga perempat". */
export function mixed(whole: string, part: string): string {
  return `${whole} ${part}`;
}
