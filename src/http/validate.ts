import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { LantangError } from '../errors.js';

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
    return (validate.errors ?? []).map((error) => faultOf(error, place));
  };
}

/** The error that lists every fault of a request at once. */
export function validationError(faults: Fault[]): LantangError {
  const message = faults.map((fault) => fault.message).join(' ');
  const plain = faults.map(({ location, message, status }) => ({ location, message, status }));
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
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}

function unescapePointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
