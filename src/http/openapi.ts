import type { TSchema } from 'typebox';
import { programVersion } from '../places.js';
import { httpStatus, type ErrorCode } from './error-table.js';
import { asAccepted, type JsonSchema } from './openapi-schema.js';
import type { Answer, Route } from './route.js';
import { ErrorBody, OpenAiError } from './schemas/writing.js';

/** An OpenAPI 3.1 document: as much of its shape as is used here. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
  tags: { name: string }[];
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, { description: string; headers?: Record<string, unknown>; content?: Content }>;
}

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

type Content = Record<string, { schema?: JsonSchema }>;

/** The document of all routes, made from the schemas that check and type them. */
export function openApiDocument(routes: Route[]): OpenApiDocument {
  const components = new Components();
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'lantang',
      version: programVersion,
      description:
        'Text to speech as a service: jobs that turn text into audio, with a choice of voice models.',
    },
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
  };
}

function operation(route: Route, components: Components): Operation {
  const { body, description } = route;
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(description !== undefined && { description }),
    security: route.scope ? [{ apiKey: [] }, { bearer: [] }] : [],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.refer(asAccepted(body, 'body')) } },
      },
    }),
    responses: { ...successes(route, components), ...failures(route, components) },
  };
}

function pathParameters({ path }: Route): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): Parameter[] {
  return Object.entries((query?.properties ?? {}) as Record<string, TSchema & { description?: string }>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: false,
      ...(description !== undefined && { description }),
      schema: asAccepted(schema, 'query'),
    }),
  );
}

function headerParameters({ headers = {} }: Route): Parameter[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  }));
}

function successes({ answers }: Route, components: Components): Operation['responses'] {
  const entries = Object.entries(answers).map(([status, answer]) => {
    const content = contentOf(answer, components);
    return [status, { description: answer.description, ...(content && { content }) }];
  });
  return Object.fromEntries(entries) as Operation['responses'];
}

function contentOf({ schema, contentTypes = [] }: Answer, components: Components): Content | undefined {
  const json: Content = schema
    ? { 'application/json': { schema: components.refer(schema as JsonSchema) } }
    : {};
  const others = Object.fromEntries(contentTypes.map((type) => [type, {}]));
  const content = { ...json, ...others };
  return Object.keys(content).length > 0 ? content : undefined;
}

/** One response for every HTTP status that the route's codes have; its description names them. */
function failures(route: Route, components: Components): Operation['responses'] {
  const schema = components.refer(
    (route.path.startsWith('/v1/') ? OpenAiError : ErrorBody) as TSchema as JsonSchema,
  );
  const responses: Operation['responses'] = {};
  for (const [status, codes] of groupByStatus(codesOf(route))) {
    if (route.answers[status]) continue;
    const description = codes.map((code) => `\`${code}\``).join(', ');
    responses[status] = { description, content: { 'application/json': { schema } } };
  }
  return responses;
}

/** The codes that a route names, and those that its key, its schemas and its limits bring. */
function codesOf(route: Route): ErrorCode[] {
  return [
    ...(route.scope
      ? (['auth_unauthorized', 'auth_invalid_api_key', 'forbidden', 'rate_limit_exceeded'] as const)
      : []),
    ...(route.query || route.body ? (['request_validation_error'] as const) : []),
    ...(route.body
      ? (['unsupported_media_type', 'request_entity_too_large', 'request_timeout'] as const)
      : []),
    ...route.errors,
    'internal_server_error',
  ];
}

function groupByStatus(codes: ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(httpStatus(code), [...(groups.get(httpStatus(code)) ?? []), code]);
  return groups;
}

/** Schemas with a title are kept once, by it, and referred to everywhere else. */
class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  refer(schema: JsonSchema): JsonSchema {
    const parts = Object.entries(schema).map(([keyword, value]) => [keyword, this.#referWithin(value)]);
    const whole = Object.fromEntries(parts) as JsonSchema;
    if (typeof schema['title'] !== 'string') return whole;
    this.schemas[schema['title']] = whole;
    return { $ref: `#/components/schemas/${schema['title']}` };
  }

  #referWithin(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#referWithin(item));
    return typeof value === 'object' && value !== null ? this.refer(value as JsonSchema) : value;
  }
}
