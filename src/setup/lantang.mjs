#!/usr/bin/env node
// The `lantang` command: sets the clone up where something changed, then becomes the program itself.
import { runProgram } from './set-up-error.mjs';
import { setUp } from './set-up.mjs';

await runProgram(async () => {
  await setUp();
  await import(new URL('../../dist/src/cli.js', import.meta.url).href);
});
