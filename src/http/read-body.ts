import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { koaBody } from 'koa-body';
import type { CallState } from './call.js';
import { refusal } from './error-table.js';
import { validationError } from './validate.js';

/** `application/json`, `application/problem+json`, `text/json` …, with any parameters. */
const JSON_TYPES = ['json', '+json', 'text/json'];

/** How much of a body over the limit is taken in and thrown away, so that its sender reads the refusal. */
const DRAIN_BYTES = 16 * 1024 * 1024;

/** Leaves the JSON body, parsed, in `ctx.state.body`; a body of no bytes is `undefined`. No content-type is taken for JSON. */
export function readBody(limit: number): Middleware<CallState> {
  const readText = koaBody({
    json: false,
    urlencoded: false,
    textTypes: JSON_TYPES,
    textLimit: limit,
  }) as unknown as Middleware<CallState>;
  return async (ctx, next) => {
    ctx.req.headers['content-type'] ??= 'application/json';
    if (ctx.is(JSON_TYPES) === false) throw refusal('unsupported_media_type');
    try {
      await readText(ctx, async () => {});
    } catch (error) {
      await rejectBody(error, ctx.req, limit);
    }
    const text = ctx.request.body as string | undefined;
    ctx.state.body = parseJson(text);
    await next();
  };
}

async function rejectBody(error: unknown, request: IncomingMessage, limit: number): Promise<never> {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') {
    await drain(request);
    throw refusal('request_entity_too_large', { maximum: limit });
  }
  if (status === 415) throw refusal('unsupported_media_type');
  throw malformed('The body could not be read: it was cut off or is not encoded as its headers say.');
}

/** Takes in what is left of a body, up to a bound, without keeping it. */
async function drain(request: IncomingMessage): Promise<void> {
  let taken = 0;
  request.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > DRAIN_BYTES) request.destroy();
  });
  request.resume();
  await new Promise((resolve) => request.once('end', resolve).once('close', resolve));
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw malformed(`The body is not valid JSON${where(error, text)}.`);
  }
}

/** V8's messages quote the text; only the position is passed on. */
function where(error: unknown, text: string): string {
  const position = /at position (\d+)/.exec((error as Error).message)?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `: line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

function malformed(message: string): Error {
  return validationError([{ location: ['body'], message, status: 'malformed_json' }]);
}
