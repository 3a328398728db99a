// Writes the settings table of the README anew from src/config.ts: `npm run readme`.
import { readFile, writeFile } from 'node:fs/promises';
import { setUp } from './set-up.mjs';
import { runProgram } from './set-up-error.mjs';

await runProgram(async () => {
  await setUp();
  const { settingsTable } = await import(new URL('../../dist/src/config.js', import.meta.url).href);
  const file = new URL('../../README.md', import.meta.url);
  const readme = await readFile(file, 'utf8');
  await writeFile(
    file,
    readme.replace(/(<!-- settings: .*? -->\n)[^]*?(<!-- \/settings -->)/, `$1\n${settingsTable()}\n$2`),
  );
});
