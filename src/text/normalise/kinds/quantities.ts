import type { Language, NumberLiteral } from '../language.js';
import { isOne, numberPattern, parseNumber, readNumber, readWritten } from '../numbers.js';
import { AFTER_WORD, BEFORE_NUMBER, anyOf, type Rule } from '../rule.js';

const MINUS = '(?<minus>(?<![\\p{L}\\p{N}])[-−])?';

/** Percentages and amounts of units: "5–10 %", "-3 °C", "60 km/h", "3 x 4 m", "2.5 GB/month", "1h30m", "5'10\"". */
export function quantities(language: Language): Rule[] {
  const number = numberPattern(language);
  const until = `(?:\\s?[-–—]\\s?(?<until>${number}))?`;
  const start = `${MINUS}${BEFORE_NUMBER}(?<!\\d/)(?<amount>${number})${until}`;
  const magnitude = `(?:\\s(?<magnitude>${anyOf([...language.magnitudes.keys()].filter((word) => word.length > 3))}))?`;
  const unit = `(?<gap>\\s?)(?<unit>${anyOf(language.units.keys())})(?![\\p{L}\\p{M}\\p{N}²³])(?:\\.(?=\\s\\p{Ll}))?`;
  const per = `(?:\\s?/\\s?(?<per>${anyOf(language.per.keys())})${AFTER_WORD})?`;
  return [
    ...compounds(language),
    {
      name: 'percent',
      pattern: new RegExp(`${start}\\s?(?<sign>[%‰])`, 'gu'),
      read: (match) => readPercent(match, language),
    },
    {
      name: 'unit',
      pattern: new RegExp(`${start}${magnitude}${unit}${per}`, 'gu'),
      read: (m) => readUnit(m, language),
    },
    {
      name: 'unit after "per"',
      needsFigures: false,
      pattern: new RegExp(
        `(?<=(?<!\\p{L})${language.words.per} )${anyOf(language.per.keys())}${AFTER_WORD}`,
        'gu',
      ),
      read: ([sign]) => language.per.get(sign),
    },
    {
      name: 'dimensions',
      pattern: new RegExp(`${BEFORE_NUMBER}${number}(?=\\s?x\\s?\\d)`, 'gu'),
      read: (match) => readWritten(match[0], language),
    },
    { name: 'by', pattern: /(?<=\d"?\s?)x(?=\s?\d)/gu, read: () => language.words.by },
  ];
}

function readPercent(match: RegExpExecArray, language: Language): string {
  const { sign } = match.groups!;
  return `${readAmounts(match, language)} ${sign === '‰' ? language.words.perMille : language.words.percent}`;
}

function readUnit(match: RegExpExecArray, language: Language): string | undefined {
  const { amount, until, magnitude, gap, unit: sign, per } = match.groups!;
  const unit = language.units.get(sign!)!;
  if (unit.attachedOnly && gap !== '' && !isElectric(match)) return undefined;
  if (sign === 'x' && /^\s?[-+−=*/^]/.test(match.input.slice(match.index + match[0].length)))
    return undefined;
  if (isName(match)) return undefined;
  const factor = magnitude === undefined ? '' : ` ${language.magnitudes.get(magnitude)!}`;
  const counted: NumberLiteral = parseNumber(until ?? amount!, language);
  const isSingular = (isOne(counted) && !factor && until === undefined) || isAttribute(match);
  const name = unit.name[isSingular ? 0 : 1];
  const rate = per === undefined ? '' : ` ${language.words.per} ${language.per.get(per)!}`;
  return `${readAmounts(match, language)}${factor} ${name}${rate}`;
}

/** "A 60 W bulb": what is counted describes something. */
function isAttribute({ input, index, 0: written }: RegExpExecArray): boolean {
  const after = input.slice(index + written.length, index + written.length + 8);
  const isBeforeNoun = /^ (?!(?:or|and|to|of|in|at|on|is|for|from|with|per|as)\b)\p{Ll}{2}/u.test(after);
  return isBeforeNoun && /(?:^|\s)an? $/i.test(input.slice(Math.max(0, index - 4), index));
}

/** "Seat 1A" and "4K" are names, "50K" is fifty thousand; "6500K" is a colour of light. */
function isName(match: RegExpExecArray): boolean {
  const { amount, unit, magnitude } = match.groups!;
  if (magnitude !== undefined || !/^\d/.test(amount!)) return false;
  if (unit === 'K') return !/^\d{4,5}$/.test(amount!);
  return unit === 'A' && /^\d+$/.test(amount!) && !isElectric(match);
}

/** How far to look for what else tells that a text is about electricity. */
const NEIGHBOURHOOD = 30;
const ELECTRIC =
  /\d ?(?:V|kV|Ah|mAh|[kM]?W|Ω)(?!\p{L})|(?<!\p{L})(?:volts?|amps?|amperes?|fuses?|breakers?|current|draws?|charg(?:er|es|ing)|circuits?|sockets?|adapters?|bulbs?|lamps?|heaters?|lampu|arus|sekering|sekring|daya|tegangan|adaptor)(?!\p{L})/iu;

function isElectric({ input, index, 0: written, groups }: RegExpExecArray): boolean {
  if (!/^[AVW]$/.test(groups!.unit!)) return false;
  const end = index + written.length;
  if (/^ \p{Lu}/u.test(input.slice(end, end + 2))) return false;
  const before = input.slice(Math.max(0, index - NEIGHBOURHOOD), index);
  return ELECTRIC.test(before) || ELECTRIC.test(input.slice(end, end + NEIGHBOURHOOD));
}

/** "minus five", "five to ten". */
function readAmounts(match: RegExpExecArray, language: Language): string {
  const { minus, amount, until } = match.groups!;
  const first = `${minus ? `${language.words.minus} ` : ''}${readNumber(parseNumber(amount!, language), language)}`;
  return until === undefined ? first : `${first} ${language.words.to} ${readWritten(until, language)}`;
}

/** Several units in one word. */
function compounds(language: Language): Rule[] {
  const named = (digits: string, sign: string) => {
    const { name } = language.units.get(sign)!;
    return `${language.cardinal(digits)} ${name[Number(digits) === 1 ? 0 : 1]}`;
  };
  return [
    {
      name: 'duration',
      pattern: /(?<![\p{L}\p{N}.,])(\d{1,3})h\s?(\d{1,2})(?:min|m)(?:\s?(\d{1,2})s)?(?![\p{L}\p{N}])/gu,
      read: ([, hours, minutes, seconds]) =>
        [named(hours!, 'h'), named(minutes!, 'min'), ...(seconds ? [named(seconds, 's')] : [])].join(' '),
    },
    {
      name: 'minutes and seconds',
      pattern: /(?<![\p{L}\p{N}.,])(\d{1,3})(?:min|m)\s?(\d{1,2})s(?![\p{L}\p{N}])/gu,
      read: ([, minutes, seconds]) => `${named(minutes!, 'min')} ${named(seconds!, 's')}`,
    },
    {
      name: 'feet and inches',
      pattern: /(?<![\p{L}\p{N}.,'])(\d)'\s?(\d{1,2})(?:"|(?<='1?\d)(?![\p{L}\p{N}'.,]))/gu,
      read: ([, feet, inches]) => `${named(feet!, 'ft')} ${language.cardinal(inches!)}`,
    },
  ];
}
