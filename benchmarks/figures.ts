/*
 * The README's plot and its table, out of what `engine` has measured:
 *
 *   npm run benchmark -- figures [FILE.json …]
 *
 * Without files it takes build/benchmarks/engine.json. It writes docs/engine.svg and prints the table's rows.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { barChart, type BarGroup } from './bars.js';
import { ROOT } from './paths.js';
import type { Outcome } from './race.js';
import type { Machine } from './report.js';

interface EngineReport {
  date: string;
  commit: string;
  machine: Machine;
  results: { voice: string; texts: string; lanes: number; outcomes: Outcome[] }[];
}

/** Who is shown, in this order; `bare` is what the others are multiples of. */
const SHOWN = [
  { name: 'lantang', key: 'lantang, text' },
  { name: 'ONNX Runtime alone', key: 'onnxruntime-node, ids' },
  { name: 'sherpa-onnx-node', key: 'sherpa-onnx-node, text' },
  { name: 'piper (Python)', key: 'piper, text' },
];

const files = process.argv.length > 2 ? process.argv.slice(2) : ['build/benchmarks/engine.json'];
const reports = files.map((file) => JSON.parse(readFileSync(resolve(ROOT, file), 'utf8')) as EngineReport);
const results = reports.flatMap((report) => report.results);
mkdirSync(join(ROOT, 'docs'), { recursive: true });
writeFileSync(
  join(ROOT, 'docs', 'engine.svg'),
  barChart(
    'Seconds of audio per second, as multiples of the published graph in ONNX Runtime',
    notesOf(reports),
    results.map(groupOf),
  ),
);
console.log(results.map(tableRow).join('\n'));

function groupOf({ voice, lanes, outcomes }: EngineReport['results'][number]): BarGroup {
  const bars = SHOWN.flatMap(({ name, key }) => {
    const outcome = outcomes.find((each) => each.name === key);
    if (!outcome) return [];
    const [value, speed] = [outcome.ratio.median, outcome.speed.median];
    return [{ name, value, label: `${speed.toPrecision(3)} s/s · ${value.toFixed(2)} ×` }];
  });
  return {
    name: `${voice}, ${lanes === 1 ? 'one lane of one core' : `${lanes} lanes of one core each`}`,
    bars,
  };
}

function tableRow({ voice, lanes, outcomes }: EngineReport['results'][number]): string {
  const speeds = SHOWN.map(({ key }) => outcomes.find(({ name }) => name === key)?.speed.median);
  return `| ${voice}, ${lanes} | ${speeds.map((speed) => speed?.toPrecision(3) ?? '').join(' | ')} |`;
}

function notesOf([first]: EngineReport[]): string[] {
  const { date, commit, machine, results: measured } = first!;
  const peers = (measured[0]?.outcomes ?? [])
    .map(({ version }) => version)
    .filter((version) => !version.startsWith('lantang'));
  return [
    `${machine.processor}, ${machine.cores} cores, Node ${machine.node}; commit ${commit}, ${date.slice(0, 10)}; medians of rounds in turns`,
    [...new Set(peers)].join(', '),
    'npm run benchmark -- engine --rounds 3 --texts sentences',
  ];
}
