import type { Middleware } from 'koa';
import type { CallState } from './call.js';
import type { RequestObserver } from './parts.js';

/** Tells of every request when its answer has left. */
export function measureRequests(observer: RequestObserver): Middleware<CallState> {
  return (ctx, next) => {
    const began = performance.now();
    observer.began();
    ctx.res.once('close', () => {
      observer.answered({
        method: ctx.method,
        route: ctx.state.route,
        status: ctx.res.headersSent ? ctx.res.statusCode : undefined,
        seconds: (performance.now() - began) / 1000,
      });
    });
    return next();
  };
}
