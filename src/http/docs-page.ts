import type { JsonSchema } from './openapi-schema.js';
import type { OpenApiDocument, Operation } from './openapi.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8884; border-radius: .4rem; }
summary { cursor: pointer; padding: .35rem 0; }
details { border-bottom: 1px solid #8883; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8882; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; }
`;

/** The whole interface on one page without scripts, fonts or anything else from elsewhere. */
export function docsPage(document: OpenApiDocument): string {
  const { title, version, description } = document.info;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<h2>${escape(name)}</h2>${own.map(({ path, method, operation }) => operationBlock(path, method, operation)).join('')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    schemaBlock(name, schema),
  );
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)} – interface</title><style>${STYLE}</style></head><body>`,
    `<h1>${escape(title)} <small>${escape(version)}</small></h1><p>${escape(description)}</p>`,
    '<p>Keys go into the header <code>x-api-key</code>, or <code>Authorization: Bearer</code>. ',
    'For programs: <a href="openapi.json">openapi.json</a>.</p>',
    ...sections,
    '<h2>Shapes</h2>',
    ...schemas,
    '</body></html>',
  ].join('');
}

function operationBlock(path: string, method: string, operation: Operation): string {
  const heading = `<span class="method">${method.toUpperCase()}</span> <code>${escape(path)}</code>`;
  const parameters = operation.parameters.map(
    ({ name, in: place, description = '', schema }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${place}</td><td>${typeText(schema)}</td><td>${escape(description)}</td></tr>`,
  );
  const body = Object.values(operation.requestBody?.content ?? {}).map(
    ({ schema = {} }) => `<p>Body: ${typeText(schema)}</p>`,
  );
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const shapes = Object.entries(response.content ?? {}).map(
      ([type, { schema }]) => `${escape(type)}${schema ? `: ${typeText(schema)}` : ''}`,
    );
    return `<tr><td>${status}</td><td>${codeSpans(response.description)}</td><td>${shapes.join('<br>')}</td></tr>`;
  });
  return [
    `<details id="${operation.operationId}"><summary>${heading} – ${escape(operation.summary)}</summary>`,
    operation.description ? `<p>${escape(operation.description)}</p>` : '',
    operation.security.length === 0 ? '<p>Needs no key.</p>' : '',
    parameters.length > 0 ? `<table>${parameters.join('')}</table>` : '',
    ...body,
    `<table>${responses.join('')}</table></details>`,
  ].join('');
}

function schemaBlock(name: string, schema: JsonSchema): string {
  const json = escape(JSON.stringify(schema, null, 2));
  return `<details id="shape-${escape(name)}"><summary><code>${escape(name)}</code></summary><pre>${json}</pre></details>`;
}

/** A schema in a few words: a link for a named one. */
function typeText(schema: JsonSchema): string {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = escape(reference.split('/').at(-1)!);
    return `<a href="#shape-${name}">${name}</a>`;
  }
  if (schema['type'] === 'array') return `array of ${typeText(schema['items'] as JsonSchema)}`;
  if (Array.isArray(schema['enum'])) return escape(schema['enum'].join(' | '));
  if (Array.isArray(schema['anyOf'])) return 'boolean';
  const types = [(schema['type'] as string | string[] | undefined) ?? 'any'].flat();
  const bounds = ['minimum', 'maximum', 'default'].filter((bound) => bound in schema);
  const notes = bounds.map((bound) => `${bound} ${String(schema[bound])}`).join(', ');
  return escape(`${types.join(' | ')}${notes ? ` (${notes})` : ''}`);
}

function codeSpans(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
