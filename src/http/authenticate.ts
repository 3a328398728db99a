import type { Middleware } from 'koa';
import type { Scope } from '../accounts/accounts.js';
import type { AppParts } from './parts.js';
import type { CallState } from './call.js';
import { refusal } from './error-table.js';

/** Admits callers whose key has the scope. Every key is looked up by its hash, so timing tells nothing of it. */
export function authenticate(accounts: AppParts['accounts'], scope: Scope): Middleware<CallState> {
  return (ctx, next) => {
    const key = keyOf(ctx.get('x-api-key'), ctx.get('authorization'));
    if (key === undefined) throw refusal('auth_unauthorized');
    const caller = accounts.authenticate(key);
    if (!caller) throw refusal('auth_invalid_api_key');
    if (!caller.scopes.includes(scope)) throw refusal('forbidden', { scope });
    ctx.state.caller = caller;
    return next();
  };
}

function keyOf(header: string, authorization: string): string | undefined {
  if (header !== '') return header;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}
