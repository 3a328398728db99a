import type { Middleware } from 'koa';
import { readLeniently } from './read-leniently.js';
import { checker, validationError, type Fault } from './validate.js';
import type { CallState } from './call.js';
import type { Route } from './route.js';

/** Reads the query and the body by the route's schemas and refuses with every fault of both at once. */
export function readInput(route: Route): Middleware<CallState> {
  const { query: querySchema, body: bodySchema } = route;
  const checkQuery = querySchema && checker(querySchema);
  const checkBody = bodySchema && checker(bodySchema);
  return (ctx, next) => {
    const faults: Fault[] = [];
    if (checkQuery) {
      const query = readLeniently(querySchema, lastOfEach(ctx.query), true);
      faults.push(...checkQuery(query, 'query'));
      ctx.state.query = query;
    }
    if (checkBody) {
      const body = readLeniently(bodySchema, ctx.state.body, false);
      faults.push(...(body === undefined ? [BODY_MISSING] : checkBody(body, 'body')));
      ctx.state.body = body;
    }
    if (faults.length > 0) throw validationError(faults);
    return next();
  };
}

const BODY_MISSING: Fault = {
  location: ['body'],
  message: 'The body is missing: send a JSON object.',
  status: 'missing',
};

/** Of a parameter given several times the last counts. */
function lastOfEach(query: NodeJS.Dict<string | string[]>): Record<string, string | undefined> {
  const pairs = Object.entries(query).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.at(-1) : value,
  ]);
  return Object.fromEntries(pairs) as Record<string, string | undefined>;
}
