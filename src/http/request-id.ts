import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { CallState } from './call.js';

/** What a caller's own id may be made of: nothing that could break a header, a log line or a terminal. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** Names the request, in every answer and every log line; the caller's own name is kept when it is harmless. */
export function requestId(): Middleware<CallState> {
  return (ctx, next) => {
    const given = ctx.get('x-request-id');
    ctx.state.requestId = ACCEPTABLE.test(given) ? given : randomUUID();
    ctx.set('x-request-id', ctx.state.requestId);
    ctx.set('x-content-type-options', 'nosniff');
    return next();
  };
}
