import type { TSchema } from 'typebox';

/** Any JSON schema, once its TypeScript type no longer matters. */
export type JsonSchema = Record<string, unknown>;

const TRUTH_WORDS = ['true', 't', '1', 'yes', 'y', 'on', 'false', 'f', '0', 'no', 'n', 'off'];

/** `[tT][rR]…`: JSON Schema's patterns know no flag for any case. */
const TRUTH_PATTERN = `^(${TRUTH_WORDS.map(inAnyCase).join('|')})$`;

/**
 * What a request may really carry, from what it means: schemas describe requests after lenient reading, and this
 * widens them by exactly what `read-leniently.ts` takes: booleans in their spellings, null for what may be absent,
 * other names. A property with a default is not required.
 */
export function asAccepted(schema: TSchema, place: 'body' | 'query'): JsonSchema {
  const whole = schema as JsonSchema;
  if (whole['type'] === 'boolean') return acceptedBoolean(whole, place);
  if (whole['type'] !== 'object') return whole;
  const properties = whole['properties'] as Record<string, JsonSchema>;
  const required = ((whole['required'] ?? []) as string[]).filter(
    (name) => !('default' in properties[name]!),
  );
  return {
    ...without(whole, 'required'),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      Object.entries(properties).flatMap(([name, property]) => {
        const accepted = asAccepted(property, place);
        const value = required.includes(name) ? accepted : orNull(accepted);
        const aliases = (property['x-aliases'] ?? []) as string[];
        return [name, ...aliases].map((alias) => [alias, value]);
      }),
    ),
  };
}

function acceptedBoolean(schema: JsonSchema, place: 'body' | 'query'): JsonSchema {
  const word = { type: 'string', pattern: TRUTH_PATTERN };
  const numbers = place === 'body' ? [{ enum: [0, 1] }] : [];
  return { ...without(schema, 'type'), anyOf: [{ type: 'boolean' }, ...numbers, word] };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  const type = [schema['type'], 'null'].flat();
  if (!Array.isArray(schema['enum'])) return { ...schema, type };
  return { ...schema, type, enum: [...(schema['enum'] as unknown[]), null] };
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

function inAnyCase(word: string): string {
  return [...word]
    .map((letter) => (/[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : letter))
    .join('');
}
