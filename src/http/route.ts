import type { Static, TObject, TSchema } from 'typebox';
import type { Scope } from '../accounts/accounts.js';
import type { Call } from './call.js';
import type { ErrorCode } from './error-table.js';

/** One answer that a route can give when all is well. */
export interface Answer {
  description: string;
  /** The JSON body; absent: `contentTypes` of bytes or text. */
  schema?: TSchema;
  contentTypes?: string[];
  headers?: Record<string, string>;
}

/**
 * One endpoint, whole: where it is, what it reads, what it writes, how it fails, and the code that answers. The
 * router, the checks of requests and the OpenAPI document are all made from this.
 */
export interface Route<Query extends TObject = TObject, Body extends TObject = TObject> {
  method: 'get' | 'post' | 'delete';
  /** In OpenAPI's spelling: `/v2/speech/tts/{job_id}`. */
  path: string;
  /** OpenAPI's operationId. */
  name: string;
  tag: 'Speech jobs' | 'Models' | 'Files' | 'OpenAI' | 'Operation';
  summary: string;
  description?: string;
  /** What the caller's key must allow; absent: no key needed. */
  scope?: Scope;
  /** Begins work that rate limits count apart. */
  submits?: boolean;
  query?: Query;
  body?: Body;
  /** Request headers beyond the key, with what they mean. */
  headers?: Record<string, string>;
  /** By HTTP status. */
  answers: Record<number, Answer>;
  /** Codes beyond those that the key and the schemas bring. */
  errors: ErrorCode[];
  answer(call: Call, input: { query: Static<Query>; body: Static<Body> }): void | Promise<void>;
}

/** Checks a route's parts against each other and forgets the schemas' exact types. */
export function route<Query extends TObject, Body extends TObject>(whole: Route<Query, Body>): Route {
  return whole;
}
