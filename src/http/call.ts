import type { DefaultContext, ParameterizedContext } from 'koa';
import type { Caller } from '../accounts/accounts.js';

/** What the middlewares leave for those after them. */
export interface CallState {
  requestId: string;
  /** The path of the route that answers, as it is documented. */
  route?: string;
  /** Set by `authenticate` on routes that need a key. */
  caller?: Caller;
  /** What `readBody` parsed and `readInput` understood and checked. */
  body?: unknown;
  query?: unknown;
  /** A body that was refused before it had come whole; resolves when no more of it comes. */
  passingBody?: Promise<void>;
}

/** One request on its way through the middleware list. */
export type Call = ParameterizedContext<CallState, DefaultContext & { params: Record<string, string> }>;

/** The caller of a route that declares a scope; `authenticate` has set it. */
export function callerOf(call: Call): Caller {
  if (!call.state.caller) throw new Error('A route without a scope asked for its caller.');
  return call.state.caller;
}
