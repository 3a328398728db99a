import type { Language } from '../language.js';
import { anyOf, type Rule } from '../rule.js';

/** What three figures are a name of, told as two numbers: "Flight three seventy". */
const NAMED = [
  'Boeing',
  'Flight',
  'flight',
  'Room',
  'room',
  'Suite',
  'Apartment',
  'Highway',
  'Interstate',
  'Route',
];

/** "Boeing 747", "Room 101". */
export function englishNamesWithNumbers(language: Language): Rule[] {
  return [
    {
      name: 'number that is a name',
      pattern: new RegExp(`(?<=(?<!\\p{L})${anyOf(NAMED)} )[1-9]\\d{2}(?![\\p{L}\\p{N}]|[.,:/–]\\d)`, 'gu'),
      read: ([digits]) => language.pairs(digits),
    },
  ];
}
