import type { Language } from '../language.js';
import type { Rule } from '../rule.js';

/** Signs of arithmetic, of commerce and of print. What is left of them after these rules is not said. */
export function symbols(language: Language): Rule[] {
  return [...print(language), ...arithmetic(language), ...greek(language)];
}

function arithmetic({ words, cardinal }: Language): Rule[] {
  const operators: Record<string, string> = {
    '+': words.plus,
    '×': words.times,
    '*': words.times,
    '·': words.times,
    '÷': words.dividedBy,
    '/': words.dividedBy,
    '=': words.equals,
    '≠': words.notEqual,
    '<': words.lessThan,
    '>': words.greaterThan,
    '≤': words.atMost,
    '≥': words.atLeast,
    '±': words.plusOrMinus,
    '≈': words.about,
    '−': words.minus,
    '-': words.minus,
  };
  return [
    {
      name: 'operator',
      pattern: /(?<=[\p{L}\p{N})²³]\s?)[+×*·÷=≠<>≤≥±≈−](?=\s?[\p{L}\p{N}(√−-])/gu,
      read: (match) => (isBetweenWords(match) || isBracket(match) ? undefined : operators[match[0]]),
    },
    {
      name: 'spaced operator',
      pattern: /(?<=[\p{N})²³] )[/-](?= [\p{N}(])/gu,
      read: ([sign]) => operators[sign],
    },
    { name: 'comparison', pattern: /(?<!\S)[<>≤≥](?=\s?\d)/gu, read: ([sign]) => operators[sign] },
    { name: 'square root', pattern: /√/gu, read: () => words.squareRootOf },
    { name: 'infinity', pattern: /∞/gu, read: () => words.infinity },
    {
      name: 'square or cube',
      pattern: /(?<=[\p{L}\p{N})])[²³](?![\p{L}\p{N}])/gu,
      read: ([sign]) => (sign === '²' ? words.squared : words.cubed),
    },
    {
      name: 'power',
      pattern: /(?<=[\p{L}\p{N})])(?:\^(−?\d{1,6})|([⁰¹²³⁴-⁹]{1,6}))/gu,
      read: ([, after, raised]) => `${words.toThePower} ${cardinal(after ?? lowered(raised!))}`,
    },
  ];
}

/** Between words, not numbers or single letters, some signs are decoration or brackets. */
function isBetweenWords({ input, index, 0: sign }: RegExpExecArray): boolean {
  const near = input.slice(Math.max(0, index - 3), index + 4);
  return '*·<>−'.includes(sign) && !/\p{N}|(?<!\p{L})\p{L}\s?[*·<>−]\s?\p{L}(?!\p{L})/u.test(near);
}

/** Signs of comparison have a space on both sides or on none. */
function isBracket({ input, index, 0: sign }: RegExpExecArray): boolean {
  return '<>'.includes(sign) && (input[index - 1] === ' ') !== (input[index + 1] === ' ');
}

function lowered(raised: string): string {
  return Array.from(raised, (sign) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)).join('');
}

function print({ words, cardinal }: Language): Rule[] {
  return [
    {
      name: 'heart',
      pattern: /(?<=(?<!\p{L})(?:I|[Ww]e|you|they|[Aa]ku|[Kk]ami) )(?:[❤♥]|<3)/gu,
      read: () => words.heart,
    },
    { name: 'emoticon', pattern: /(?<!\S)(?:[:;=][-']?[()DPpOo3|*]|<3)(?!\S)/gu, read: () => '' },
    { name: 'sharp', pattern: /(?<=(?<!\p{L})[CF])#(?!\p{L})/gu, read: () => 'sharp' },
    { name: 'plus plus', pattern: /(?<=(?<!\p{L})[Cc])\+\+(?!\p{L})/gu, read: () => `plus plus` },
    {
      name: 'number in brackets',
      pattern: /(?<=\p{L} )\((\d{1,3})\)/gu,
      read: ([, digits]) => cardinal(digits!),
    },
    { name: 'number sign', pattern: /(?<![\p{L}\p{N}])#(?=\d)/gu, read: () => words.number },
    { name: 'and', pattern: /&/gu, read: () => words.and },
    { name: 'at', pattern: /(?<=\s)@(?=\s|\d)/gu, read: () => words.at },
    { name: 'and or', pattern: /(?<=(?<!\p{L})(?:and|dan))\/(?=(?:or|atau)(?!\p{L}))/gu, read: () => '' },
    {
      name: 'or',
      pattern:
        /(?<=(?<!\p{L})(?:he|his|him|yes|true|on|ya))\/(?=(?:she|her|hers|no|false|off|tidak)(?!\p{L}))/giu,
      read: () => words.or,
    },
    { name: 'arrow', pattern: /(?:→|⇒|➔|-{1,2}>|=>)(?=\s?\S)/gu, read: () => words.leadsTo },
    { name: 'section', pattern: /§{1,2}/gu, read: () => words.section },
    { name: 'paragraph', pattern: /¶/gu, read: () => words.paragraph },
    { name: 'copyright', pattern: /©|\([cC]\)(?= ?\d{4})/gu, read: () => words.copyright },
    { name: 'percent sign', pattern: /(?<=\p{L}\s?)[%](?!\p{L})/gu, read: () => words.percent },
    { name: 'degree sign', pattern: /°/gu, read: () => words.degrees },
    { name: 'plus alone', pattern: /(?<=[\p{L}\p{N}])\+(?![^\s.,;:!?)])/gu, read: () => words.plus },
  ];
}

function greek({ greekLetters }: Language): Rule[] {
  return [
    {
      name: 'Greek letter',
      pattern: /(?<![\p{L}\p{M}])[\u0391-\u03c9µ](?![\p{L}\p{M}])/gu,
      read: ([letter]) => greekLetters.get(letter.toLowerCase().normalize('NFKC').replace('ς', 'σ')),
    },
  ];
}
