import { itReads } from '../said.js';

describe('ordinals and Roman numerals', () => {
  itReads('en-US', [
    ['1st', 'first'],
    ['2nd', 'second'],
    ['3rd', 'third'],
    ['5th', 'fifth'],
    ['8th', 'eighth'],
    ['9th', 'ninth'],
    ['12th', 'twelfth'],
    ['20th', 'twentieth'],
    ['21st', 'twenty-first'],
    ['100th', 'one hundredth'],
    ['1,000th', 'one thousandth'],
    ['112th', 'one hundred twelfth'],
    ['the 19th century', 'the nineteenth century'],
    ['Henry VIII', 'Henry the eighth'],
    ['Elizabeth II', 'Elizabeth the second'],
    ['Elizabeth I', 'Elizabeth the first'],
    ['Louis XIV was king', 'Louis the fourteenth was king'],
    ['Chapter IV', 'Chapter four'],
    ['Act I', 'Act one'],
    ['World War II', 'World War two'],
    ['Super Bowl LVI', 'Super Bowl fifty-six'],
    ['Rocky III', 'Rocky three'],
    ['I am', 'I am'],
  ]);
  itReads('id', [
    ['ke-1', 'pertama'],
    ['ke-2', 'kedua'],
    ['ke-10', 'kesepuluh'],
    ['ke-21', 'kedua puluh satu'],
    ['abad ke-20', 'abad kedua puluh'],
    ['abad ke-XX', 'abad kedua puluh'],
    ['Bab IV', 'Bab empat'],
    ['kelas X', 'kelas sepuluh'],
    ['Perang Dunia II', 'Perang Dunia dua'],
    ['Hamengkubuwono X', 'Hamengkubuwono kesepuluh'],
  ]);
});
