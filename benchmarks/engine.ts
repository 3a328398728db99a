/*
 * Seconds of audio per second, and peak memory: lantang's engine beside the bare runtime, sherpa-onnx-node and piper's
 * own Python, in turns, every one with one thread a lane. The bare runtime is given ids made beforehand, so that it
 * bounds what any program can reach with the published graph.
 *
 *   npm run benchmark -- engine [--rounds 5] [--voices en_US-joe-medium,nadia] [--lanes 1,2] [--texts sentences,paragraphs]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bareRuntime, lantangEngine, readTasks, textPeers } from './peers/programs.js';
import { race, type Entry, type Outcome } from './race.js';
import { describeMachine, writeReport } from './report.js';
import { formatSpread } from './statistics.js';
import { formatTable } from './table.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    voices: { type: 'string', default: 'en_US-joe-medium,nadia' },
    lanes: { type: 'string', default: '1,2' },
    texts: { type: 'string', default: 'sentences,paragraphs' },
  },
});
const machine = describeMachine();
const dataDir = mkdtempSync(join(tmpdir(), 'lantang-engine-'));
try {
  const results = [];
  for (const voice of flags.voices.split(',')) {
    for (const texts of flags.texts.split(',') as ('sentences' | 'paragraphs')[]) {
      const tasks = await readTasks(dataDir, voice, texts);
      for (const lanes of flags.lanes.split(',').map(Number)) {
        const outcomes = await race(entriesOf(voice, lanes), tasks, Number(flags.rounds));
        results.push({ voice, texts, lanes, outcomes });
        console.log(`\n${voice}, ${texts}, ${lanes} lane(s)\n\n${formatTable(outcomes.map(rowOf))}`);
      }
    }
  }
  console.log(`\nWritten to ${writeReport('engine', machine, { rounds: Number(flags.rounds), results })}.`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

/** The bare runtime comes first: the others are told as multiples of it. */
function entriesOf(voice: string, lanes: number): Entry[] {
  const sideBySide = { processes: lanes, repeats: 1 };
  const ownLanes = { processes: 1, repeats: lanes };
  return [
    { ...bareRuntime(voice), ...sideBySide },
    { ...lantangEngine(dataDir, voice, lanes, 'ids'), ...ownLanes },
    { ...lantangEngine(dataDir, voice, lanes, 'text'), ...ownLanes },
    ...textPeers(voice).map((peer) => ({ ...peer, ...sideBySide })),
  ];
}

function rowOf({ name, speed, speedPerCpu, ratio, ratioPerCpu, peakBytes }: Outcome) {
  return {
    who: name,
    '× real time': formatSpread(speed, 1),
    '× bare': formatSpread(ratio),
    'per CPU second': formatSpread(speedPerCpu, 1),
    '× bare, per CPU': formatSpread(ratioPerCpu),
    'peak MiB': peakBytes === undefined ? '' : (peakBytes / 2 ** 20).toFixed(0),
  };
}
