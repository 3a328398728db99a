import type { Language } from '../language.js';
import type { Rule } from '../rule.js';
import { isPronounceable, spell } from '../spelling.js';

/** How far to look for lower-case letters before calling a text shouted. */
const NEIGHBOURHOOD = 60;

const ELEMENT =
  '(?:He|Li|Be|Ne|Na|Mg|Al|Si|Cl|Ar|Ca|Ti|Cr|Mn|Fe|Co|Ni|Cu|Zn|Br|Ag|Sn|Ba|Au|Hg|Pb|[HBCNOFPSKI])';
/** A figure stands inside: "H2SO4", "C6H12O6". */
const FORMULA = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${ELEMENT}\\d{0,2}){0,4}?${ELEMENT}\\d{1,2}(?:${ELEMENT}\\d{0,2}){1,6}(?![\\p{L}\\p{N}])`,
  'gu',
);

/** Words in capitals: "FBI" by its letters, "NASA" as a word; letters that stand next to digits: "MP3", "H2O". */
export function acronyms(language: Language): Rule[] {
  return [
    {
      name: 'formula',
      needsFigures: true,
      pattern: FORMULA,
      read: ([formula]) => readFormula(formula, language),
    },
    {
      name: 'letters and digits',
      pattern: /(?<![\p{L}\p{M}])\p{Lu}{1,4}(?=-?\d)(?!\p{L})|(?<=\d)\p{Lu}{1,3}(?![\p{L}\p{M}])/gu,
      read: ([letters]) =>
        language.acronyms.words.has(letters) ? titleCase(letters) : spell(letters, language),
    },
    {
      name: 'World Health Organization',
      pattern: /(?<=(?<!\p{L})[Tt]he )WHO(?!\p{L})/gu,
      read: ([letters]) => spell(letters, language),
    },
    {
      name: 'acronym',
      pattern: /(?<![\p{L}\p{M}])(\p{Lu}{2,6})('?s)?(?![\p{L}\p{M}])/gu,
      read: (match) => readAcronym(match, language),
    },
    {
      name: 'joined acronyms',
      pattern: /(?<![\p{L}\p{M}])(\p{Lu}{1,3})&(\p{Lu}{1,3})(?![\p{L}\p{M}])/gu,
      read: ([, left, right]) => `${spell(left!, language)} ${language.words.and} ${spell(right!, language)}`,
    },
    ...(language.letterNames.has('A') ? [letterA(language)] : []),
  ];
}

/** "H two S O four". */
function readFormula(formula: string, language: Language): string {
  const parts = formula.match(/\p{Lu}\p{Ll}?|\d+/gu) ?? [];
  return parts
    .map((part) => (/\d/.test(part) ? language.cardinal(part) : spell(part, language).replace('.', ' ')))
    .join(' ');
}

/** Inside a sentence a capital A is the letter: "plan A is better". */
function letterA(language: Language): Rule {
  return {
    name: 'letter A',
    pattern: /(?<=[\p{Ll}\d] )A(?=[ ,.;:!?)]|$)(?! \p{Lu})/gu,
    read: () => language.letterNames.get('A'),
  };
}

function readAcronym(match: RegExpExecArray, language: Language): string | undefined {
  const [, letters, plural] = match;
  const { words, spelled } = language.acronyms;
  if (words.has(letters!)) return titleCase(letters!) + (plural ?? '');
  const isSpelled =
    spelled.has(letters!) || !isPronounceable(letters!) || (letters!.length <= 3 && !isShouted(match, words));
  if (!isSpelled) return undefined;
  return spell(letters!, language) + (plural ? "'s" : '');
}

/** No small letter is near, and some of the capitals are surely words. */
function isShouted({ input, index }: RegExpExecArray, words: ReadonlySet<string>): boolean {
  const around = input.slice(Math.max(0, index - NEIGHBOURHOOD), index + NEIGHBOURHOOD);
  if (/\p{Ll}/u.test(around)) return false;
  const capitals = around.match(/\p{Lu}{2,}/gu) ?? [];
  return capitals.some((word) => words.has(word) || (word.length > 3 && isPronounceable(word)));
}

/** espeak-ng spells some words in capitals. */
function titleCase(word: string): string {
  return word.length <= 3 ? word.toLowerCase() : word[0]! + word.slice(1).toLowerCase();
}
