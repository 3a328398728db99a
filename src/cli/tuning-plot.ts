import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { LantangError } from '../errors.js';

/** One setting: its bar, and a dot for each round. */
export interface Bar {
  label: string;
  rounds: number[];
  /** How long the bar is. */
  value: number;
  chosen: boolean;
}

const [WIDTH, LEFT, RIGHT, TOP, ROW, FOOT] = [760, 250, 70, 56, 30, 40];
const COLOURS = { chosen: '#1a7f37', other: '#8c959f', dot: '#1f2328', grid: '#d0d7de' };

/** An SVG of horizontal bars from 0, in the order given. */
export function drawBars(title: string, unit: string, bars: readonly Bar[]): string {
  const height = TOP + ROW * bars.length + FOOT;
  const most = Math.max(...bars.flatMap(({ rounds, value }) => [...rounds, value])) * 1.05;
  const across = (value: number) => LEFT + (value / most) * (WIDTH - LEFT - RIGHT);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => tick(across(share * most), share * most, height));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    text(WIDTH / 2, 26, title, 'middle'),
    ...ticks,
    text((LEFT + WIDTH - RIGHT) / 2, height - 6, unit, 'middle'),
    ...bars.map((bar, index) => drawBar(bar, TOP + ROW * index, across)),
    '</svg>\n',
  ].join('\n');
}

function drawBar(
  { label, rounds, value, chosen }: Bar,
  y: number,
  across: (value: number) => number,
): string {
  const colour = chosen ? COLOURS.chosen : COLOURS.other;
  const width = (across(value) - LEFT).toFixed(1);
  const middle = y + ROW / 2;
  const dots = rounds.map(
    (round) => `<circle cx="${across(round).toFixed(1)}" cy="${middle}" r="2.5" fill="${COLOURS.dot}"/>`,
  );
  return [
    text(LEFT - 8, middle + 4, label, 'end'),
    `<rect x="${LEFT}" y="${y + 5}" width="${width}" height="${ROW - 10}" fill="${colour}" fill-opacity="0.75"/>`,
    ...dots,
    text(WIDTH - RIGHT + 6, middle + 4, value.toPrecision(3), 'start'),
  ].join('\n');
}

function tick(x: number, value: number, height: number): string {
  const line = `<path d="M${x.toFixed(1)} ${TOP}V${height - FOOT}" stroke="${COLOURS.grid}"/>`;
  return line + text(x, height - FOOT + 16, value.toPrecision(2), 'middle');
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" fill="${COLOURS.dot}">${escaped}</text>`;
}

/** Throws `plot_unavailable` where a PNG is wanted and ffmpeg can't read SVG. */
export async function writePlot(file: string, svg: string, ffmpeg: string): Promise<void> {
  if (extname(file).toLowerCase() !== '.png') return writeFile(file, svg);
  const folder = await mkdtemp(join(tmpdir(), 'lantang-plot-'));
  try {
    await writeFile(join(folder, 'plot.svg'), svg);
    await promisify(execFile)(ffmpeg, ['-v', 'error', '-y', '-i', join(folder, 'plot.svg'), file]);
  } catch (cause) {
    const message = 'This ffmpeg cannot turn SVG into PNG; give --plot a name that ends in .svg.';
    throw new LantangError('plot_unavailable', message, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
