import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.js';
import { formatTable } from '../table.js';
import { plot, type Line } from './plot.js';

const FOLDER = join(ROOT, 'build', 'benchmarks');

/** Tables and plots for people, as they are found out. */
export class Findings {
  readonly #sections: string[] = [];

  constructor() {
    mkdirSync(FOLDER, { recursive: true });
  }

  /** Prints a table, and keeps it. */
  tell(title: string, rows: object[]): void {
    const section = `### ${title}\n\n${formatTable(rows.map(rounded))}`;
    this.#sections.push(section);
    console.log(`\n${section}`);
  }

  /** Writes build/benchmarks/gpu-NAME.svg. */
  draw(name: string, title: string, labels: { x: string; y: string }, lines: Line[]): void {
    writeFileSync(join(FOLDER, `gpu-${name}.svg`), plot(title, labels, lines));
  }

  /** All tables as one Markdown file, build/benchmarks/NAME.md. */
  write(name: string): void {
    writeFileSync(join(FOLDER, `${name}.md`), `${this.#sections.join('\n\n')}\n`);
  }
}

function rounded(row: object): Record<string, string | number> {
  const cells = Object.entries(row) as [string, number | string][];
  const show = (value: number | string) =>
    typeof value === 'string' || Number.isInteger(value) ? value : Number(value.toPrecision(4)).toString();
  return Object.fromEntries(cells.map(([name, value]) => [name, show(value)]));
}
