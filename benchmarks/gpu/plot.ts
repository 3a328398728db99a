import { image, text } from '../svg.js';

export interface Line {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
}

const [WIDTH, HEIGHT, MARGIN] = [640, 400, 60];
const COLOURS = ['#1f6feb', '#d1242f', '#1a7f37', '#9a6700', '#8250df', '#57606a'];

/** An SVG plot of lines from 0 up; the x axis has a tick at every value, evenly spaced as levels are. */
export function plot(title: string, labels: { x: string; y: string }, lines: readonly Line[]): string {
  const ticks = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const top = Math.max(1e-9, ...lines.flatMap(({ points }) => points.map(([, y]) => y))) * 1.05;
  const across = (x: number) =>
    MARGIN + (ticks.indexOf(x) / Math.max(1, ticks.length - 1)) * (WIDTH - 2 * MARGIN);
  const up = (y: number) => HEIGHT - MARGIN - (y / top) * (HEIGHT - 2 * MARGIN);
  const every = Math.ceil(ticks.length / 12);
  const xTicks = ticks
    .filter((_, index) => index % every === 0)
    .map((x) => label(across(x), HEIGHT - MARGIN + 18, String(x)));
  const yTicks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = up(share * top);
    return (
      `<path d="M${MARGIN} ${y.toFixed(1)}H${WIDTH - MARGIN}" stroke="#d0d7de"/>` +
      label(MARGIN - 6, y + 4, short(share * top), 'end')
    );
  });
  return image(WIDTH, HEIGHT, [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    label(WIDTH / 2, 24, title),
    label(WIDTH / 2, HEIGHT - 16, labels.x),
    `<g transform="rotate(-90 16 ${HEIGHT / 2})">${label(16, HEIGHT / 2, labels.y)}</g>`,
    ...yTicks,
    ...xTicks,
    ...lines.map((line, index) => drawLine(line, index, across, up)),
  ]);
}

function drawLine(line: Line, index: number, across: (x: number) => number, up: (y: number) => number) {
  const colour = COLOURS[index % COLOURS.length]!;
  const path = line.points.map(([x, y]) => `${across(x).toFixed(1)},${up(y).toFixed(1)}`).join(' ');
  const name = label(MARGIN + 8, MARGIN + 14 * index, line.name, 'start', colour);
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${name}`;
}

function label(x: number, y: number, content: string, anchor = 'middle', fill = '#1f2328'): string {
  return text(x, y, content, { 'text-anchor': anchor, fill });
}

const short = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));
