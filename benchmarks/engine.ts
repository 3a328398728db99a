/*
 * Seconds of audio per second, and peak memory: lantang's engine beside the bare runtime, sherpa-onnx-node and piper's
 * own Python, in turns, every one with one thread a lane. The bare runtime is given ids made beforehand, so that it
 * bounds what any program can reach with the published graph.
 *
 *   npm run benchmark -- engine [--rounds 5] [--voices en_US-joe-medium,nadia] [--lanes 1,2] [--texts sentences,paragraphs]
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readSettings } from '../src/config.js';
import { openLog } from '../src/log.js';
import { openCatalogue } from '../src/studio.js';
import { FrontEnd } from '../src/text/front-end.js';
import { PhonemizerPool } from '../src/text/phonemizer-pool.js';
import { CACHE, ROOT } from './paths.js';
import type { Task } from './peers/contestant.js';
import { espeakData, installPiper, installSherpaOnnx } from './peers/install.js';
import { prepareForSherpa } from './peers/sherpa-model.js';
import { race, type Entry, type Outcome } from './race.js';
import { describeMachine, writeReport } from './report.js';
import { formatSpread } from './statistics.js';
import { formatTable } from './table.js';
import { readTexts } from './texts.js';

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
      const tasks = await readTasks(voice, texts);
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

/** The texts with their ids, as lantang's own front end makes them: all are measured on the same segments' worth. */
async function readTasks(voiceName: string, name: 'sentences' | 'paragraphs'): Promise<Task[]> {
  const phonemizers = new PhonemizerPool({ size: 1 });
  const frontEnd = new FrontEnd(phonemizers);
  const catalogue = await openCatalogue(readSettings({ dataDir, modelsDir: CACHE }), openLog('error'));
  const voice = catalogue.find(voiceName)?.voice;
  if (!voice) throw new Error(`There is no voice ${voiceName} in models/ or in the cache.`);
  const tasks: Task[] = [];
  for (const text of readTexts(name)) {
    const { segments } = await frontEnd.prepare({ kind: 'text', content: text }, voice.text, {});
    tasks.push({ text, segments: segments.map(({ ids }) => [...ids]) });
  }
  await phonemizers.close();
  return tasks;
}

/** The bare runtime comes first: the others are told as multiples of it. */
function entriesOf(voice: string, lanes: number): Entry[] {
  const model = publishedFile(voice);
  const sherpa = prepareForSherpa(model);
  const sideBySide = { processes: lanes, repeats: 1 };
  const ownLanes = { processes: 1, repeats: lanes };
  const node = (program: string, ...args: string[]) => ({
    command: process.execPath,
    args: [fileURLToPath(new URL(`peers/${program}.js`, import.meta.url)), ...args],
  });
  const lantang = (input: 'text' | 'ids') =>
    node('lantang-engine', dataDir, CACHE, voice, String(lanes), input);
  const sherpaArgs = [installSherpaOnnx(), sherpa.model, sherpa.tokens, espeakData()];
  const piper = join(ROOT, 'benchmarks', 'peers', 'piper_tts.py');
  return [
    { name: 'onnxruntime-node, ids', ...node('onnxruntime', model), ...sideBySide },
    { name: 'lantang, ids', ...lantang('ids'), ...ownLanes },
    { name: 'lantang, text', ...lantang('text'), ...ownLanes },
    { name: 'sherpa-onnx-node, text', ...node('sherpa-onnx', ...sherpaArgs), ...sideBySide },
    { name: 'piper, text', command: installPiper(), args: [piper, model], ...sideBySide },
  ];
}

function publishedFile(voice: string): string {
  const candidates = [join(ROOT, 'models'), CACHE].map((folder) => join(folder, `${voice}.onnx`));
  return candidates.find((path) => existsSync(path)) ?? '';
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
