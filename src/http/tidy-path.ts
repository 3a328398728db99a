import type { Middleware } from 'koa';

const ALIAS = /^\/v2\/speech\/tts-api(?=\/|$)/;

/** Reads paths leniently: one trailing slash more, and the public alias of the job routes. */
export function tidyPath(): Middleware {
  return (ctx, next) => {
    const tidy = ctx.path.replace(ALIAS, '/v2/speech/tts').replace(/(?<=[^/])\/$/, '');
    if (tidy !== ctx.path) ctx.path = tidy;
    return next();
  };
}
