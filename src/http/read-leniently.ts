import type { TSchema } from 'typebox';
import { parseBoolean } from '../config-kinds.js';

type Properties = Record<string, TSchema & { 'x-aliases'?: string[] }>;

/**
 * What a caller meant, by the schema: booleans and numbers in their spellings, other names of a field, null for
 * absent, defaults filled in, unknown fields dropped. What cannot be read stays as it came, for the checker to name.
 */
export function readLeniently(schema: TSchema, raw: unknown, spelledNumbers: boolean): unknown {
  const { type, properties } = schema as { type?: string; properties?: Properties };
  const value = raw ?? (schema as { default?: unknown }).default;
  if (value === undefined) return undefined;
  if (type === 'object' && properties) return readObject(properties, value, spelledNumbers);
  if (type === 'boolean') return readBoolean(value);
  if (type === 'string') return typeof value === 'string' ? wellFormed(value) : value;
  if (spelledNumbers && (type === 'integer' || type === 'number')) return readNumber(value);
  return value;
}

function readObject(properties: Properties, raw: unknown, spelledNumbers: boolean): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const given = raw as Record<string, unknown>;
  const read: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const spelling = [name, ...(schema['x-aliases'] ?? [])].find(
      (alias) => Object.hasOwn(given, alias) && given[alias] !== null,
    );
    const value = readLeniently(schema, spelling === undefined ? undefined : given[spelling], spelledNumbers);
    if (value !== undefined) read[name] = value;
  }
  return read;
}

function readBoolean(value: unknown): unknown {
  if (typeof value === 'string') return parseBoolean(value.trim()) ?? value;
  return value === 1 || value === 0 ? value === 1 : value;
}

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Half surrogate pairs, which UTF-8 and so the store cannot hold, become U+FFFD. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
