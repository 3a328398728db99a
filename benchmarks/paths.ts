import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's root folder; benchmarks run from dist/benchmarks. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Where peers and public voices are kept, outside the clone. */
export const CACHE = process.env['LANTANG_TEST_CACHE'] ?? join(homedir(), '.cache', 'lantang');
