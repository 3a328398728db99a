import type { Currency } from './currencies.js';
import type { Unit } from './units.js';

/** Singular and plural of what is counted; the same twice where a language has no plural. */
export type Counted = readonly [one: string, many: string];

/** A number as written: digits without grouping, and what stands after the decimal mark. */
export interface NumberLiteral {
  integer: string;
  /** Digits; '' without a decimal mark. */
  fraction: string;
}

/** What the kinds of rules need to know of a language in order to read numbers, money, units and symbols in it. */
export interface Language {
  /** BCP 47. */
  tag: string;
  decimalMark: ',' | '.';
  groupMark: ',' | '.';
  /** Of a string of digits of any length. */
  cardinal: (digits: string) => string;
  ordinal: (digits: string) => string;
  /** The digit's name, 0 to 9. */
  digitNames: readonly string[];
  /** Of 1/2, 3/4 and their like. */
  fraction: (numerator: string, denominator: string) => string;
  /** A whole number and a fraction, `1 1/2`. */
  mixed: (whole: string, fraction: string) => string;
  /** A part of one unit, "half a kilogram". */
  partOf: (fraction: string, unit: string) => string;
  /** Of a number of three or four digits that is a name, as "ten eighty". */
  pairs: (digits: string) => string;
  /** Of a number that is likely a year. */
  year: (digits: string) => string;
  words: {
    point: string;
    minus: string;
    plus: string;
    times: string;
    dividedBy: string;
    equals: string;
    notEqual: string;
    lessThan: string;
    greaterThan: string;
    atMost: string;
    atLeast: string;
    about: string;
    plusOrMinus: string;
    squareRootOf: string;
    toThePower: string;
    squared: string;
    cubed: string;
    to: string;
    by: string;
    per: string;
    and: string;
    at: string;
    dot: string;
    dash: string;
    slash: string;
    underscore: string;
    number: string;
    hashtag: string;
    /** The sign before a colour's figures. */
    hash: string;
    percent: string;
    perMille: string;
    degrees: string;
    section: string;
    paragraph: string;
    copyright: string;
    version: string;
    infinity: string;
    questionMark: string;
    colon: string;
    tilde: string;
    /** What the sign of a heart stands for between two people. */
    heart: string;
    /** What an arrow stands for. */
    leadsTo: string;
    or: string;
  };
  /** As written after a number or an amount, case as written → as said. */
  magnitudes: ReadonlyMap<string, string>;
  currencies: ReadonlyMap<string, Currency>;
  minorSigns: ReadonlyMap<string, Counted>;
  units: ReadonlyMap<string, Unit>;
  /** What stands after a slash, "per month". */
  per: ReadonlyMap<string, string>;
  /** Of the letters whose name can't be had by writing them in capitals. */
  letterNames: ReadonlyMap<string, string>;
  /** Of single Greek letters, lower case. */
  greekLetters: ReadonlyMap<string, string>;
  acronyms: {
    /** Written in capitals, read as words. */
    words: ReadonlySet<string>;
    /** Pronounceable, yet spelled. */
    spelled: ReadonlySet<string>;
  };
  /** Abbreviations that are read the same wherever they stand, case as written → as said. */
  abbreviations: ReadonlyMap<string, string>;
  /** Abbreviations before a number. */
  abbreviationsOfNumbers: ReadonlyMap<string, string>;
  /** Abbreviations before a capitalised name. */
  titles: ReadonlyMap<string, string>;
  /** Before a Roman numeral that is read as a cardinal, "Chapter". */
  numeralHeadings: readonly string[];
  /** Before a Roman numeral that is read as an ordinal, "Henry". */
  regnalNames: readonly string[];
  /** Between the name and the ordinal, "the". */
  regnalJoin: string;
  /** A code, PIN or account follows: digits one by one. */
  codeWords: readonly string[];
}
