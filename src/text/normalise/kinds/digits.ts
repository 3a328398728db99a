import type { Language } from '../language.js';
import { groupDigits, readDigitGroups, readDigits } from '../numbers.js';
import { anyOf, type Rule } from '../rule.js';

const BEFORE = '(?<![\\p{L}\\p{N}$€£]|\\d[.,-])';
const AFTER = '(?![\\p{L}\\p{N}]|[.,-]\\d)';

/** How telephone, card and account numbers are written, the most telling first. */
const SHAPES: readonly [name: string, source: string][] = [
  ['international telephone', '\\+\\d{1,3}(?:[\\s.-]?\\(\\d{1,4}\\))?(?:[\\s.-]?\\d{2,5}){2,5}'],
  ['telephone with area code', '\\(\\d{2,4}\\)\\s?\\d{3,4}[\\s.-]?\\d{3,5}'],
  ['telephone, North America', '(?:1[\\s.-])?\\d{3}([\\s.-])\\d{3}\\1\\d{4}'],
  ['telephone, Indonesia', '0\\d{2,3}[\\s-]\\d{3,4}(?:[\\s-]\\d{3,5}){1,2}'],
  ['telephone with area code and dash', '0\\d{2,3}[\\s-]\\d{5,8}'],
  ['short telephone', '\\d{3}-\\d{4}'],
  ['card', '\\d{4}([\\s-])\\d{4}\\1\\d{4}(?:\\1\\d{1,4}){1,2}'],
  ['social security', '\\d{3}-\\d{2}-\\d{4}'],
  ['national number', '0\\d{6,14}'],
  ['long number', '\\d{10,18}'],
];

/** Digits that are not a quantity: told one by one, in the groups in which they are written. */
export function digitRuns(language: Language): Rule[] {
  const shapes = SHAPES.map(([name, source]) => ({
    name,
    pattern: new RegExp(`${BEFORE}${source}${AFTER}`, 'gu'),
    read: ([written]: RegExpExecArray) => readGroups(written, language),
  }));
  return [
    ...shapes,
    {
      name: 'code',
      pattern: new RegExp(
        `(?<=(?<!\\p{L})${anyOf(language.codeWords)}(?: (?:is|number|adalah|nomor)|:)? )\\d{3,9}${AFTER}`,
        'gu',
      ),
      read: ([digits]) => readDigits(digits, language),
    },
    {
      name: 'number of many figures',
      pattern: new RegExp(`(?<=#)\\d{5,9}${AFTER}`, 'gu'),
      read: ([digits]) => readDigits(digits, language),
    },
    {
      name: 'book number',
      pattern: new RegExp(`(?<=ISBN(?:-1[03])?:? )\\d[\\d-]{8,15}[\\dX]${AFTER}`, 'gu'),
      read: ([written]) => readDigitGroups(written.replace('X', '').split('-'), language),
    },
    {
      name: 'emergency number',
      pattern: new RegExp(
        `(?:(?<=(?<!\\p{L})(?:[Cc]all|[Dd]ial|[Hh]ubungi|[Tt]elepon) )[19]\\d\\d|${BEFORE}911(?= (?:calls?|operators?|dispatch)))${AFTER}`,
        'gu',
      ),
      read: ([digits]) => readDigits(digits, language),
    },
  ];
}

function readGroups(written: string, language: Language): string {
  const groups = (written.match(/\d+/g) ?? []).flatMap((group) =>
    group.length > 5 ? groupDigits(group) : [group],
  );
  return (written.startsWith('+') ? 'plus ' : '') + readDigitGroups(groups, language);
}
