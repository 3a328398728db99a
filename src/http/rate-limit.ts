import type { Middleware } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../config.js';
import { LantangError } from '../errors.js';
import { callerOf, type Call, type CallState } from './call.js';
import type { Route } from './route.js';

type Limits = Pick<Settings, 'requestsPerMinute' | 'submitsPerMinute'>;

/** Bounds what one user may ask in a minute; limits of 0 cost nothing. Throws `rate_limit_exceeded`. */
export function rateLimit(limits: Limits): (route: Route) => Middleware<CallState> {
  const requests = perMinute(limits.requestsPerMinute);
  const submits = perMinute(limits.submitsPerMinute);
  return (route) => {
    const applying = [requests, route.submits ? submits : undefined].filter(
      (limiter) => limiter !== undefined,
    );
    if (applying.length === 0) return (_ctx, next) => next();
    return async (ctx, next) => {
      const { user } = callerOf(ctx as Call);
      for (const limiter of applying) await take(limiter, user);
      await next();
    };
  };
}

function perMinute(points: number): RateLimiterMemory | undefined {
  return points === 0 ? undefined : new RateLimiterMemory({ points, duration: 60 });
}

async function take(limiter: RateLimiterMemory, user: string): Promise<void> {
  try {
    await limiter.consume(user);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const message = `More than ${limiter.points} requests in a minute: wait, then try again.`;
    throw new LantangError('rate_limit_exceeded', message, {
      retryable: true,
      retryAfterSeconds: Math.max(1, refused.msBeforeNext / 1000),
    });
  }
}
