import type { Language } from '../language.js';
import { readDigitGroups } from '../numbers.js';
import { anyOf, type Rule } from '../rule.js';

/** The codes of the United States Postal Service, https://pe.usps.com/text/pub28/28apb.htm. */
const STATES = new Map(
  Object.entries({
    AL: 'Alabama',
    AK: 'Alaska',
    AZ: 'Arizona',
    AR: 'Arkansas',
    CA: 'California',
    CO: 'Colorado',
    CT: 'Connecticut',
    DE: 'Delaware',
    DC: 'D.C',
    FL: 'Florida',
    GA: 'Georgia',
    HI: 'Hawaii',
    ID: 'Idaho',
    IL: 'Illinois',
    IN: 'Indiana',
    IA: 'Iowa',
    KS: 'Kansas',
    KY: 'Kentucky',
    LA: 'Louisiana',
    ME: 'Maine',
    MD: 'Maryland',
    MA: 'Massachusetts',
    MI: 'Michigan',
    MN: 'Minnesota',
    MS: 'Mississippi',
    MO: 'Missouri',
    MT: 'Montana',
    NE: 'Nebraska',
    NV: 'Nevada',
    NH: 'New Hampshire',
    NJ: 'New Jersey',
    NM: 'New Mexico',
    NY: 'New York',
    NC: 'North Carolina',
    ND: 'North Dakota',
    OH: 'Ohio',
    OK: 'Oklahoma',
    OR: 'Oregon',
    PA: 'Pennsylvania',
    PR: 'Puerto Rico',
    RI: 'Rhode Island',
    SC: 'South Carolina',
    SD: 'South Dakota',
    TN: 'Tennessee',
    TX: 'Texas',
    UT: 'Utah',
    VT: 'Vermont',
    VA: 'Virginia',
    WA: 'Washington',
    WV: 'West Virginia',
    WI: 'Wisconsin',
    WY: 'Wyoming',
  }),
);

/** Also words that people shout or abbreviations of something else: states only after a city and its comma. */
const WORDS = new Set(['CO', 'DC', 'HI', 'ID', 'IN', 'MA', 'ME', 'MS', 'OH', 'OK', 'OR', 'PA', 'PR']);

/** "MO 63101", "Springfield, IL 62701-1234": the state by its name, the ZIP code digit by digit. */
export function englishPostalCodes(language: Language): Rule[] {
  const unmistakable = [...STATES.keys()].filter((code) => !WORDS.has(code));
  return [
    {
      name: 'state and postal code',
      pattern: new RegExp(
        `(?:(?<=, )(${anyOf(STATES.keys())})|(?<![\\p{L}\\p{N}])(${anyOf(unmistakable)})) (\\d{5})(?:-(\\d{4}))?(?![\\p{L}\\p{N}]|[.,-]\\d)`,
        'gu',
      ),
      read: ([, afterCity, alone, zip, more]) => {
        const groups = [zip!, ...(more ? [more] : [])];
        return `${STATES.get(afterCity ?? alone!)!} ${readDigitGroups(groups, language)}`;
      },
    },
  ];
}
