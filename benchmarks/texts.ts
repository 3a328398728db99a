import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.js';

/** The lines of benchmarks/texts/NAME.txt: `sentences` (50, of 40 to 65 characters) or `paragraphs` (4, of about 550). */
export function readTexts(name: 'sentences' | 'paragraphs'): string[] {
  return readFileSync(join(ROOT, 'benchmarks', 'texts', `${name}.txt`), 'utf8')
    .trim()
    .split('\n');
}
