import type { Emphasis } from '../script.js';

/** Reads an attribute's value; undefined when it is not what `expected` says. */
export interface ValueKind<T> {
  /** Ends the sentence "Expected …". */
  expected: string;
  parse: (value: string) => T | undefined;
}

const RATES = new Map(
  Object.entries({ 'x-slow': 0.5, slow: 0.75, medium: 1, default: 1, fast: 1.25, 'x-fast': 1.6 }),
);
const PITCHES = new Map(
  Object.entries({ 'x-low': -6, low: -3, medium: 0, default: 0, high: 3, 'x-high': 6 }),
);
const VOLUMES = new Map(
  Object.entries({ silent: -96, 'x-soft': -12, soft: -6, medium: 0, default: 0, loud: 4, 'x-loud': 8 }),
);
const STRENGTHS = new Map(
  Object.entries({ none: 0, 'x-weak': 0.1, weak: 0.25, medium: 0.5, strong: 0.8, 'x-strong': 1.2 }),
);
const EMPHASES = new Set(['strong', 'moderate', 'none', 'reduced']);
const LONGEST_BREAK_SECONDS = 10;

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}

/** Seconds: "500ms", "1.5s". */
export const breakTime: ValueKind<number> = {
  expected: `a time from 0s to ${LONGEST_BREAK_SECONDS}s such as "500ms" or "1.5s"`,
  parse: (value) => {
    const [, digits, unit] = /^\+?(\d{0,6}\.?\d{1,6})(ms|s)$/.exec(value) ?? [];
    if (digits === undefined) return undefined;
    return within(Number(digits) / (unit === 'ms' ? 1000 : 1), 0, LONGEST_BREAK_SECONDS);
  },
};

/** Seconds. */
export const breakStrength: ValueKind<number> = {
  expected: 'none, x-weak, weak, medium, strong or x-strong',
  parse: (value) => STRENGTHS.get(value),
};

/** A factor: "slow", "80%", "+10%", "1.2". */
export const rate: ValueKind<number> = {
  expected: 'x-slow, slow, medium, fast, x-fast, or a rate from 25% to 400% such as "80%", "+10%" or "1.2"',
  parse: (value) => {
    const label = RATES.get(value);
    if (label !== undefined) return label;
    const [, sign, digits, percent] = /^([+-]?)(\d{1,4}(?:\.\d{1,6})?)(%?)$/.exec(value) ?? [];
    if (digits === undefined || (sign && !percent)) return undefined;
    const ratio = Number(digits) / (percent ? 100 : 1);
    return within(sign === '' ? ratio : sign === '+' ? 1 + ratio : 1 - ratio, 0.25, 4);
  },
};

/** Semitones: "high", "+2st", "-10%". */
export const pitch: ValueKind<number> = {
  expected: 'x-low, low, medium, high, x-high, or a change of at most 10 semitones such as "+2st" or "-10%"',
  parse: (value) => {
    const label = PITCHES.get(value);
    if (label !== undefined) return label;
    const [, sign, digits, unit] = /^([+-]?)(\d{1,4}(?:\.\d{1,6})?)(st|%)$/.exec(value) ?? [];
    if (digits === undefined) return undefined;
    const signed = Number(digits) * (sign === '-' ? -1 : 1);
    return within(unit === 'st' ? signed : 12 * Math.log2(1 + signed / 100), -10, 10);
  },
};

/** Decibels: "loud", "+6dB". */
export const volume: ValueKind<number> = {
  expected: 'silent, x-soft, soft, medium, loud, x-loud, or a change from -96dB to +12dB such as "-6dB"',
  parse: (value) => {
    const label = VOLUMES.get(value);
    if (label !== undefined) return label;
    const [, digits] = /^([+-]?\d{1,3}(?:\.\d{1,6})?)dB$/.exec(value) ?? [];
    return digits === undefined ? undefined : within(Number(digits), -96, 12);
  },
};

export const emphasisLevel: ValueKind<Emphasis> = {
  expected: 'strong, moderate, none or reduced',
  parse: (value) => (EMPHASES.has(value) ? (value as Emphasis) : undefined),
};

/** BCP 47, as far as voices tell languages apart. */
export const languageTag: ValueKind<string> = {
  expected: 'a language tag such as "en-US" or "id"',
  parse: (value) => (/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(value) ? value : undefined),
};

export function oneOf(values: readonly string[]): ValueKind<string> {
  return {
    expected: `one of ${values.join(', ')}`,
    parse: (value) => (values.includes(value) ? value : undefined),
  };
}

export function textUpTo(length: number): ValueKind<string> {
  return {
    expected: `text of 1 to ${length} characters`,
    parse: (value) => (value.trim() !== '' && value.length <= length ? value : undefined),
  };
}

export const anything: ValueKind<string> = { expected: 'anything', parse: (value) => value };
