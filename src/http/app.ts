import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { accessLog } from './access-log.js';
import { answerErrors } from './answer-errors.js';
import { authenticate } from './authenticate.js';
import type { Call, CallState } from './call.js';
import { checkFraming } from './check-framing.js';
import { refusal } from './error-table.js';
import { measureRequests } from './measure-requests.js';
import type { AppParts } from './parts.js';
import { rateLimit } from './rate-limit.js';
import { readBody } from './read-body.js';
import { readInput } from './read-input.js';
import { requestId } from './request-id.js';
import type { Route } from './route.js';
import { allRoutes } from './routes/all.js';
import { tidyPath } from './tidy-path.js';

/** The whole HTTP interface. The two lists of middlewares, read downwards, are the path of every request. */
export function createApp(parts: AppParts): Koa<CallState> {
  const { accounts, settings, log, requests } = parts;
  const app = new Koa<CallState>({ proxy: settings.trustProxy });
  app.on('error', (error: Error) => log.debug({ err: error }, 'answer broke off'));

  app.use(requestId());
  if (requests) app.use(measureRequests(requests));
  app.use(accessLog(log));
  app.use(answerErrors(log));
  app.use(checkFraming());
  app.use(tidyPath());

  const limit = rateLimit(settings);
  const router = new Router<CallState>();
  const routes = allRoutes(parts);
  for (const [path, siblings] of byPath(routes)) {
    for (const route of siblings) {
      router[route.method](
        path,
        named(route),
        ...(route.scope ? [authenticate(accounts, route.scope), limit(route)] : []),
        ...(route.body ? [readBody(settings.bodyLimit)] : []),
        readInput(route),
        answer(route),
      );
    }
    router.all(path, named(siblings[0]!), refuseMethod(siblings));
  }
  app.use(router.routes() as unknown as Middleware<CallState>);
  app.use(() => {
    throw refusal('route_not_found');
  });
  return app;
}

function named({ path }: Route): Middleware<CallState> {
  return (ctx, next) => {
    ctx.state.route = path;
    return next();
  };
}

function answer(route: Route): Middleware<CallState> {
  return (ctx) => {
    const { query, body } = ctx.state as { query: Record<string, unknown>; body: Record<string, unknown> };
    return route.answer(ctx as Call, { query, body });
  };
}

/** The path is known, the method is not: 405, or what OPTIONS asks for. */
function refuseMethod(routes: Route[]): Middleware<CallState> {
  const allowed = routes.flatMap(({ method }) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  return (ctx) => {
    ctx.set('allow', allowed.join(', '));
    if (ctx.method !== 'OPTIONS') throw refusal('method_not_allowed', { allowed });
    ctx.status = 204;
  };
}

/** Routes of one path together, in the spelling of the router: `{job_id}` is `:job_id` there. */
function byPath(routes: Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    groups.set(path, [...(groups.get(path) ?? []), route]);
  }
  return groups;
}
