import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { ROOT } from '../project/sources.js';

/** Loads a module of src/setup, which is JavaScript and runs from its source. */
export async function loadSetUp<Exports>(name: string): Promise<Exports> {
  return (await import(pathToFileURL(join(ROOT, 'src', 'setup', `${name}.mjs`)).href)) as Exports;
}
