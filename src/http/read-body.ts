import type { Middleware, ParameterizedContext } from 'koa';
import { koaBody } from 'koa-body';
import { LantangError } from '../errors.js';
import type { CallState } from './call.js';
import { clipped } from './clipped.js';
import { refusal } from './error-table.js';
import { letPass } from './passing-body.js';
import { validationError } from './validate.js';

/** `application/json`, `application/problem+json`, `text/json` …, with any parameters. */
const JSON_TYPES = ['json', '+json', 'text/json'];

/**
 * Leaves the JSON body, parsed, in `ctx.state.body`; a body of no bytes is `undefined`. No content-type is taken for
 * JSON. A client that asks first whether to send its body (`Expect: 100-continue`) is told to here, where it is known
 * that the body is wanted.
 */
export function readBody(limit: number): Middleware<CallState> {
  const readText = koaBody({
    json: false,
    urlencoded: false,
    textTypes: JSON_TYPES,
    textLimit: limit,
    // Byte by byte: what is no UTF-8 must be refused, not be replaced.
    encoding: 'latin1',
  }) as unknown as Middleware<CallState>;
  return async (ctx, next) => {
    ctx.req.headers['content-type'] ??= 'application/json';
    if (ctx.is(JSON_TYPES) === false) throw refusal('unsupported_media_type');
    requireUtf8(ctx.request.charset);
    if (Number(ctx.get('content-length')) > limit) throw tooLarge(ctx, limit);
    if (/^100-continue$/i.test(ctx.get('expect'))) ctx.res.writeContinue();
    try {
      await readText(ctx, async () => {});
    } catch (error) {
      throw bodyError(error, ctx, limit);
    }
    ctx.state.body = parseJson(utf8Of(ctx.request.body as string | undefined));
    await next();
  };
}

type Context = ParameterizedContext<CallState>;

function bodyError(error: unknown, ctx: Context, limit: number): Error {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return tooLarge(ctx, limit);
  if (status === 415) return unknownEncoding(ctx.get('content-encoding'));
  return malformed('The body could not be read: it was cut off or is not encoded as its headers say.');
}

/** The refusal goes out at once; what is still coming is let pass by, so that the sender gets to read it. */
function tooLarge(ctx: Context, limit: number): Error {
  ctx.state.passingBody = letPass(ctx.req);
  return refusal('request_entity_too_large', { maximum: limit });
}

function unknownEncoding(encoding: string): Error {
  const message =
    'The content-encoding of the body is not known: send it as it is, or as gzip, deflate or br.';
  const context = { content_encoding: clipped(encoding, 40) };
  return new LantangError('unsupported_media_type', message, { context });
}

function requireUtf8(charset: string): void {
  if (charset === '' || /^utf-?8$/i.test(charset)) return;
  const message = 'The body must be UTF-8, as JSON is: the content-type names another charset.';
  throw new LantangError('unsupported_media_type', message, { context: { charset: clipped(charset, 40) } });
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8Of(latin1: string | undefined): string | undefined {
  if (latin1 === undefined) return undefined;
  try {
    return decoder.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    throw malformed('The body is not UTF-8.');
  }
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
