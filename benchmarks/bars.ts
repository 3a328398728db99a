import { image, text } from './svg.js';

export interface Bar {
  name: string;
  /** What its length stands for. */
  value: number;
  /** What is written in the column at the right. */
  label: string;
}

export interface BarGroup {
  name: string;
  bars: readonly Bar[];
}

const [WIDTH, NAMES, LABELS, BAR, GAP, TOP] = [720, 170, 150, 18, 22, 56] as const;

/** Readable on a light and on a dark page: the page behind it shows through. */
const STYLE = `<style>
  text { fill: #1f2328 } .soft { fill: #59636e } .bar { fill: #8c959f } .ours { fill: #1f6feb } .mark { stroke: #59636e }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .soft { fill: #9198a1 } .bar { fill: #656c76 } .ours { fill: #4493f8 } .mark { stroke: #9198a1 }
  }
</style>`;

/** Horizontal bars, the first of each group in the colour that is ours, and a dashed line at the value 1. */
export function barChart(title: string, notes: readonly string[], groups: readonly BarGroup[]): string {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const across = (value: number) => (value / most) * (WIDTH - NAMES - LABELS);
  const lines = [STYLE, text(0, 18, title, { 'font-size': '16', 'font-weight': 'bold' })];
  let y = TOP;
  for (const group of groups) {
    lines.push(text(0, y - 8, group.name, { class: 'soft' }));
    group.bars.forEach((bar, index) => {
      lines.push(...drawBar(bar, y + index * (BAR + 4), across(bar.value), index === 0));
    });
    const end = y + group.bars.length * (BAR + 4);
    const one = NAMES + across(1);
    lines.push(`<path class="mark" stroke-dasharray="3 3" d="M${one.toFixed(1)} ${y - 4}V${end}"/>`);
    y = end + GAP + 12;
  }
  notes.forEach((note, index) =>
    lines.push(text(0, y + index * 16, note, { class: 'soft', 'font-size': '11' })),
  );
  return image(WIDTH, y + notes.length * 16, lines);
}

function drawBar({ name, label }: Bar, y: number, length: number, isOurs: boolean): string[] {
  const weight = isOurs ? { 'font-weight': 'bold' } : undefined;
  const middle = y + BAR - 5;
  return [
    text(NAMES - 8, middle, name, { 'text-anchor': 'end', ...weight }),
    `<rect class="bar${isOurs ? ' ours' : ''}" x="${NAMES}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2"/>`,
    text(WIDTH - LABELS + 10, middle, label, weight),
  ];
}
