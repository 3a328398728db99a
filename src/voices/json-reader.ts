import { LantangError } from '../errors.js';

interface Range<T> {
  from: number;
  to: number;
  /** For an absent field; without it the field is required. */
  fallback?: T;
}

/**
 * Reads the fields of a JSON object that somebody else wrote. Every reading method throws `voice_invalid` with the
 * field's full name, what was expected and what came. Only an object's own fields count.
 */
export class JsonReader {
  readonly #fields: ReadonlyMap<string, unknown>;

  /** `path` is the object's name in the file, empty for the whole. */
  constructor(
    value: unknown,
    private readonly file: string,
    private readonly path = '',
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#refuse(path || 'the file', 'an object', value);
    }
    this.#fields = new Map(Object.entries(value));
  }

  keys(): string[] {
    return [...this.#fields.keys()];
  }

  object(key: string): JsonReader {
    return new JsonReader(this.#fields.get(key), this.file, this.#name(key));
  }

  /** An absent field reads as an empty object. */
  optionalObject(key: string): JsonReader {
    return new JsonReader(this.#fields.get(key) ?? {}, this.file, this.#name(key));
  }

  string(key: string, fallback?: string): string {
    const value = this.#fields.get(key) ?? fallback;
    return typeof value === 'string' && value.length <= LONGEST_STRING
      ? value
      : this.fail(key, `a string of at most ${LONGEST_STRING} characters`, value);
  }

  choice<const T extends string>(key: string, options: readonly T[], fallback: T): T {
    const value = this.#fields.get(key) ?? fallback;
    return (
      options.find((option) => option === value) ?? this.fail(key, options.map(quoted).join(' or '), value)
    );
  }

  number(key: string, { from, to, fallback }: Range<number>): number {
    const value = this.#fields.get(key) ?? fallback;
    return isNumberWithin(value, from, to) ? value : this.fail(key, `a number from ${from} to ${to}`, value);
  }

  integer(key: string, { from, to, fallback }: Range<number>): number {
    const value = this.#fields.get(key) ?? fallback;
    return isNumberWithin(value, from, to) && Number.isInteger(value)
      ? value
      : this.fail(key, `a whole number from ${from} to ${to}`, value);
  }

  integers(key: string, { from, to }: Range<number[]>): number[] {
    const value = this.#fields.get(key);
    const fits =
      Array.isArray(value) && value.every((one) => isNumberWithin(one, from, to) && Number.isInteger(one));
    return fits
      ? (value as number[])
      : this.fail(key, `a list of whole numbers from ${from} to ${to}`, value);
  }

  fail(key: string, expected: string, actual: unknown): never {
    return this.#refuse(this.#name(key), expected, actual);
  }

  #name(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  #refuse(field: string, expected: string, actual: unknown): never {
    const message = `${this.file}: ${field} must be ${expected}, but is ${shown(actual)}.`;
    throw new LantangError('voice_invalid', message, { context: { field, expected } });
  }
}

const LONGEST_STRING = 1000;
const SHOWN_CHARACTERS = 60;

function isNumberWithin(value: unknown, from: number, to: number): value is number {
  return typeof value === 'number' && value >= from && value <= to;
}

function quoted(text: string): string {
  return `"${text}"`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
