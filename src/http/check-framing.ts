import type { Middleware } from 'koa';
import { refusal } from './error-table.js';

/** What Node would refuse by itself, without our error's shape, if `server.ts` did not ask it to leave that to us. */
export function checkFraming(): Middleware {
  return (ctx, next) => {
    if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) throw refusal('host_missing');
    if (!ctx.req.url?.startsWith('/') && !URL.canParse(ctx.req.url ?? '')) throw refusal('bad_request');
    const expected = ctx.get('expect');
    if (expected !== '' && !/^100-continue$/i.test(expected)) throw refusal('expectation_failed');
    return next();
  };
}
