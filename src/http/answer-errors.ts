import type { Middleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import { publicError, type PublicError } from './error-table.js';
import type { CallState } from './call.js';
import { answerBeside } from './passing-body.js';

/** Turns whatever is thrown further in into the error table's answer; what is not in the table is logged whole. */
export function answerErrors(log: Logger): Middleware<CallState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.req.destroyed && !ctx.req.complete) return;
      const shown = publicError(error);
      if (shown.http >= 500) log.error({ err: error, requestId: ctx.state.requestId }, 'request failed');
      ctx.status = shown.http;
      if (shown.retryAfter !== undefined) ctx.set('retry-after', String(shown.retryAfter));
      if (shown.http === 401) ctx.set('www-authenticate', 'Bearer');
      const write = ctx.req.url?.startsWith('/v1/') ? openAiErrorBody : errorBody;
      ctx.body = write(shown, ctx.state.requestId);
      if (ctx.state.passingBody) closeAfter(ctx.state.passingBody, ctx);
    }
  };
}

function closeAfter(passing: Promise<void>, ctx: ParameterizedContext<CallState>): void {
  const answer = Buffer.from(JSON.stringify(ctx.body));
  ctx.set('connection', 'close');
  ctx.body = answerBeside(passing, answer);
  ctx.type = 'application/json';
  ctx.length = answer.length;
}

/** `{status, message, context?, request_id, recovery}`. */
export function errorBody(error: PublicError, requestId: string): Record<string, unknown> {
  return {
    status: error.code,
    message: error.message,
    ...(error.context === undefined ? {} : { context: error.context }),
    request_id: requestId,
    recovery: {
      retryable: error.retryable,
      ...(error.retryAfter === undefined ? {} : { retry_after_seconds: error.retryAfter }),
    },
  };
}

/** OpenAI's shape, which its client libraries read. */
function openAiErrorBody(error: PublicError, requestId: string): Record<string, unknown> {
  const type = error.http >= 500 ? 'server_error' : 'invalid_request_error';
  const first = Array.isArray(error.context) ? (error.context[0] as { location: string[] }) : undefined;
  const param = first ? first.location.slice(1).join('.') : null;
  return { error: { message: error.message, type, param, code: error.code }, request_id: requestId };
}
