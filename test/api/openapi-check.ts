import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Record<string, unknown>;
interface ResponseObject {
  content?: Record<string, { schema?: Json }>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, ResponseObject> }>>;
  components: { schemas: Record<string, Json> };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Holds answers against the OpenAPI document that the same server published. */
export class OpenApiCheck {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  /** `document`: as served. Objects are closed here: what the document does not name must not be written. */
  constructor(document: unknown) {
    this.#document = closed(document) as Document;
    this.#ajv.addFormat('uuid', UUID);
    this.#ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
    this.#ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
    this.#ajv.addFormat('uri', (text) => URL.canParse(text));
    this.#ajv.addSchema({ $id: 'api', components: this.#document.components });
  }

  /** Throws an error that tells how an answer departs from the document; the path may hold a query. */
  check(method: string, path: string, status: number, contentType: string, body: unknown): void {
    const template = this.#templateOf(path);
    const operation = template && this.#document.paths[template]![method.toLowerCase()];
    if (!operation) return;
    const where = `${method} ${template} → ${status}`;
    const response = operation.responses[String(status)];
    if (!response) throw new Error(`${where} is not documented.`);
    const media = contentType.split(';')[0]!.trim();
    const key = Object.keys(response.content ?? {}).find((type) => matchesMedia(type, media));
    if (key === undefined) {
      if (media === '' && !response.content) return;
      throw new Error(`${where} is not documented to give ${media}.`);
    }
    const schema = response.content![key]!.schema;
    if (schema) this.#checkBody(where, schema, body);
  }

  #checkBody(where: string, schema: Json, body: unknown): void {
    const pointed = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components', '"api#/components'),
    ) as Json;
    const validate = this.#compiled.get(where) ?? this.#ajv.compile(pointed);
    this.#compiled.set(where, validate);
    if (!validate(body)) throw new Error(`${where}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  /** Fixed paths win over those with a parameter. */
  #templateOf(path: string): string | undefined {
    const bare = path
      .split('?')[0]!
      .replace(/(?<=.)\/$/, '')
      .replace('/tts-api', '/tts');
    const matching = Object.keys(this.#document.paths).filter((template) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(bare),
    );
    return matching.find((template) => template === bare) ?? matching[0];
  }
}

function matchesMedia(documented: string, actual: string): boolean {
  return documented === actual || (documented.endsWith('/*') && actual.startsWith(documented.slice(0, -1)));
}

/** The same document with `additionalProperties: false` in every object schema that does not say otherwise. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const whole: Json = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
  const open = whole['type'] === 'object' && 'properties' in whole && !('additionalProperties' in whole);
  return open ? { ...whole, additionalProperties: false } : whole;
}
