import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { CallState } from './call.js';

/** One line a request, when its answer has left: never the query (signatures), headers (keys) or bodies (texts). */
export function accessLog(log: Logger): Middleware<CallState> {
  return (ctx, next) => {
    if (!log.isLevelEnabled('info')) return next();
    const began = performance.now();
    const { method } = ctx;
    // As it was sent: not every one can be parsed.
    const path = ctx.req.url?.split('?', 1)[0];
    ctx.res.once('close', () => {
      log.info(
        {
          requestId: ctx.state.requestId,
          user: ctx.state.caller?.user,
          method,
          path,
          status: ctx.res.statusCode,
          milliseconds: Math.round((performance.now() - began) * 10) / 10,
          finished: ctx.res.writableFinished,
        },
        'request',
      );
    });
    return next();
  };
}
