import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's root folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} path relative to the clone's root */
export const fromRoot = (path) => join(ROOT, path);
