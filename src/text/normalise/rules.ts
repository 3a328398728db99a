import { englishDates, englishDecades, englishYears } from './english/dates.js';
import { english } from './english/language.js';
import { NEVER_LAST, SENTENCE_OPENERS, SOMETIMES_LAST } from './english/abbreviations.js';
import { englishNamesWithNumbers } from './english/names-with-numbers.js';
import { englishOrdinals, englishStreets } from './english/ordinals.js';
import { englishPostalCodes } from './english/states.js';
import { englishTimes } from './english/times.js';
import * as indonesianStops from './indonesian/abbreviations.js';
import { indonesianDates } from './indonesian/dates.js';
import { INDONESIAN } from './indonesian/language.js';
import { indonesianTimes } from './indonesian/times.js';
import { indonesianWords } from './indonesian/words.js';
import { abbreviations } from './kinds/abbreviations.js';
import { acronyms } from './kinds/acronyms.js';
import { digitRuns } from './kinds/digits.js';
import { fractions } from './kinds/fractions.js';
import { magnitudes, numbers, ranges } from './kinds/integers.js';
import { lineMarkers } from './kinds/lines.js';
import { money } from './kinds/money.js';
import { quantities } from './kinds/quantities.js';
import { romanNumerals } from './kinds/roman.js';
import { screens } from './kinds/screens.js';
import { symbols } from './kinds/symbols.js';
import { tags } from './kinds/tags.js';
import { versions } from './kinds/versions.js';
import { web } from './kinds/web.js';
import type { Language } from './language.js';
import { ofFigures, type Rule } from './rule.js';

/** How texts of a language are split and read. */
export interface Grammar {
  /** Undefined where reading is left to espeak-ng. */
  language: Language | undefined;
  /** In order of precedence. */
  rules: readonly Rule[];
  /** Abbreviations whose full stop ends no sentence, without it. */
  neverLast: ReadonlySet<string>;
  /** The same, where a figure follows. */
  beforeFigures: ReadonlySet<string>;
  /** Abbreviations whose full stop ends one when a sentence opener follows. */
  sometimesLast: ReadonlySet<string>;
  sentenceOpeners: ReadonlySet<string>;
}

/** English outside of North America puts the day first and says "and" in numbers. */
const MONTH_FIRST = new Set(['en', 'en-us', 'en-ca', 'en-ph']);

/** By BCP 47 tag, `en-US`, `en_GB`, `id`; any other language is left as it is written. */
export function grammarOf(tag: string): Grammar {
  const lower = tag.toLowerCase().replace('_', '-');
  const [primary] = lower.split('-');
  if (primary === 'en') return MONTH_FIRST.has(lower) ? AMERICAN_GRAMMAR : BRITISH_GRAMMAR;
  return primary === 'id' || primary === 'ms' ? INDONESIAN_GRAMMAR : PLAIN_GRAMMAR;
}

function englishGrammar(tag: string, british: boolean): Grammar {
  const language = english(tag, british);
  return {
    language,
    rules: [
      ...tags(language),
      ...web(language),
      ...lineMarkers(language),
      ...ofFigures(screens(language)),
      ...ofFigures(englishPostalCodes(language)),
      ...ofFigures(englishNamesWithNumbers(language)),
      ...englishDates(language, british),
      ...ofFigures(englishDecades()),
      ...ofFigures(money(language)),
      ...ofFigures(digitRuns(language)),
      ...ofFigures(englishTimes(language)),
      ...ofFigures(quantities(language)),
      ...ofFigures(magnitudes(language)),
      ...ofFigures(versions(language)),
      ...fractions(language),
      ...ofFigures(englishOrdinals(language)),
      ...ranges(language),
      ...ofFigures(englishYears(language)),
      ...englishStreets(),
      ...common(language),
    ],
    neverLast: new Set(NEVER_LAST),
    beforeFigures: withoutStops(language.abbreviationsOfNumbers),
    sometimesLast: new Set(SOMETIMES_LAST),
    sentenceOpeners: new Set(SENTENCE_OPENERS),
  };
}

function withoutStops(words: ReadonlyMap<string, string>): Set<string> {
  return new Set(Array.from(words.keys(), (word) => word.replace(/\.$/, '')));
}

/** What comes last in every language. */
function common(language: Language): Rule[] {
  return [
    ...abbreviations(language),
    ...romanNumerals(language),
    ...acronyms(language),
    ...symbols(language),
    ...ofFigures(numbers(language)),
  ];
}

const AMERICAN_GRAMMAR = englishGrammar('en-US', false);
const BRITISH_GRAMMAR = englishGrammar('en-GB', true);

const INDONESIAN_GRAMMAR: Grammar = {
  language: INDONESIAN,
  rules: [
    ...tags(INDONESIAN),
    ...web(INDONESIAN),
    ...lineMarkers(INDONESIAN),
    ...ofFigures(screens(INDONESIAN)),
    ...indonesianDates(INDONESIAN),
    ...indonesianWords(INDONESIAN),
    ...ofFigures(money(INDONESIAN)),
    ...ofFigures(digitRuns(INDONESIAN)),
    ...ofFigures(indonesianTimes(INDONESIAN)),
    ...ofFigures(quantities(INDONESIAN)),
    ...ofFigures(magnitudes(INDONESIAN)),
    ...ofFigures(versions(INDONESIAN)),
    ...fractions(INDONESIAN),
    ...ranges(INDONESIAN),
    ...common(INDONESIAN),
  ],
  neverLast: new Set(indonesianStops.NEVER_LAST),
  beforeFigures: withoutStops(INDONESIAN.abbreviationsOfNumbers),
  sometimesLast: new Set(indonesianStops.SOMETIMES_LAST),
  sentenceOpeners: new Set(indonesianStops.SENTENCE_OPENERS),
};

const PLAIN_GRAMMAR: Grammar = {
  language: undefined,
  rules: [],
  neverLast: new Set(),
  beforeFigures: new Set(),
  sometimesLast: new Set(),
  sentenceOpeners: new Set(),
};
