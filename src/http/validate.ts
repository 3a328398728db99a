import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { LantangError } from '../errors.js';
import { clipped } from './clipped.js';

/** One thing that is wrong with a request. */
export interface Fault {
  /** Where: `body`, `query`, `path` or `header`, then the names on the way. */
  location: string[];
  message: string;
  /** Stable name of the fault. */
  status: string;
}

const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
ajv.addFormat('date', isCalendarDay);

/** `2024-02-29` but not `2023-02-29`. */
function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  );
}

/** A checker of one schema, compiled once: gives every fault of a value, none when it is right. */
export function checker(schema: TSchema): (value: unknown, place: string) => Fault[] {
  const validate: ValidateFunction = ajv.compile(schema);
  return (value, place) => {
    if (validate(value)) return [];
    return onePerPlace((validate.errors ?? []).map((error) => faultOf(error, place)));
  };
}

/** A value of the wrong type is often not one of those allowed either: the first fault says it all. */
function onePerPlace(faults: Fault[]): Fault[] {
  const places = new Map<string, Fault>();
  for (const fault of faults) {
    const place = JSON.stringify(fault.location);
    if (!places.has(place)) places.set(place, fault);
  }
  return [...places.values()];
}

const LONGEST_MESSAGE = 300;

/** The error that lists every fault of a request at once. */
export function validationError(faults: Fault[]): LantangError {
  const plain = faults.map(({ location, message, status }) => {
    return { location, message: clipped(message, LONGEST_MESSAGE), status };
  });
  const message = plain.map((fault) => fault.message).join(' ');
  return new LantangError('request_validation_error', message, { context: { faults: plain } });
}

const FAULT_NAMES: Record<string, string> = {
  type: 'wrong_type',
  enum: 'not_allowed',
  format: 'wrong_format',
  minimum: 'too_small',
  maximum: 'too_large',
  minLength: 'too_short',
  maxLength: 'too_long',
  required: 'missing',
};

function faultOf(error: ErrorObject, place: string): Fault {
  const names = error.instancePath.split('/').slice(1).map(unescapePointer);
  const status = FAULT_NAMES[error.keyword] ?? 'invalid';
  if (error.keyword === 'required') names.push((error.params as { missingProperty: string }).missingProperty);
  const location = [place, ...names];
  const name = names.length > 0 ? names.join('.') : `The ${place}`;
  if (status === 'missing') return { location, status, message: `${name} is missing.` };
  const expected = expectation((error.parentSchema ?? {}) as TSchema);
  return { location, status, message: `${name} must be ${expected}, but is ${shown(error.data)}.` };
}

const NOUNS: Record<string, string> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a JSON object',
  string: 'a string',
};

/** What a schema asks for, to complete "must be …". */
function expectation(schema: {
  type?: string;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}): string {
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.format === 'date') return 'a date like 2019-08-24';
  const noun = NOUNS[schema.type ?? ''] ?? 'valid';
  if (schema.minimum !== undefined && schema.maximum !== undefined) {
    return `${noun} from ${schema.minimum} to ${schema.maximum}`;
  }
  if (schema.maxLength !== undefined) return `${noun} of at most ${schema.maxLength} characters`;
  if (schema.minLength !== undefined) return `${noun} of at least ${schema.minLength} character`;
  return noun;
}

/** A caller's value, short enough for a message. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'too large a number';
  return clipped(JSON.stringify(value) ?? 'nothing', 60);
}

function unescapePointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
