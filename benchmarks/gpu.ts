/*
 * All that a GPU machine is needed for, in two runs of at most eight minutes:
 *
 *   npm run benchmark -- gpu --part load      closed loop: throughput and latency at 1 … 128 streams, first audio
 *   npm run benchmark -- gpu --part engine    batches of 1 … 64, provider options, memory, cold start
 *
 * Options: [--device cuda:0] [--lanes 1] [--voices nadia,en_US-joe-medium] [--minutes 8] [--small]
 * It writes build/benchmarks/gpu-PART.json, .md and plots. `--device cpu --small` shows anywhere that it works.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadAddon } from '../src/inference/binding.js';
import { parseDevices } from '../src/inference/devices.js';
import { runtimeOf } from '../src/studio.js';
import type { Voice } from '../src/voices/voice.js';
import { benchSettings, openVoices } from './gpu/bench-voice.js';
import { measureFirstAudio, measureLevel, openSynthesizer, type Level } from './gpu/closed-loop.js';
import { load, measureBatch, measureColdStart, measureMemory, optionVariants } from './gpu/direct.js';
import { plot, type Line } from './gpu/plot.js';
import { ROOT } from './paths.js';
import { describeMachine, writeReport } from './report.js';
import { formatTable } from './table.js';

const { values: flags } = parseArgs({
  options: {
    part: { type: 'string', default: 'load' },
    device: { type: 'string', default: 'cuda:0' },
    lanes: { type: 'string', default: '1' },
    voices: { type: 'string', default: 'nadia,en_US-joe-medium' },
    minutes: { type: 'string', default: '8' },
    small: { type: 'boolean', default: false },
  },
});
const { device } = parseDevices([flags.device])[0]!;
const lanes = Number(flags.lanes);
const machine = describeMachine();
const dataDir = mkdtempSync(join(tmpdir(), 'lantang-gpu-'));
const sections: string[] = [];
mkdirSync(join(ROOT, 'build', 'benchmarks'), { recursive: true });
try {
  const settings = benchSettings(dataDir, device);
  const libraryPath = runtimeOf(settings);
  const { version } = loadAddon().openRuntime({ libraryPath });
  const voices = await openVoices(settings, flags.voices.split(','));
  const budget = (Number(flags.minutes) * 60 * 0.85) / voices.length;
  const results = [];
  for (const voice of voices) {
    const measure = flags.part === 'load' ? measureLoad : measureEngine;
    results.push({ voice: voice.name, ...(await measure(voice, libraryPath, budget)) });
  }
  const content = { device: flags.device, lanes, runtime: version, small: flags.small, results };
  const path = writeReport(`gpu-${flags.part}`, machine, content);
  writeFileSync(join(ROOT, path.replace(/json$/, 'md')), `${sections.join('\n\n')}\n`);
  console.log(`Written to ${path}.`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

/** Budget in seconds; what does not fit is cut short, never left out. */
async function measureLoad(voice: Voice, libraryPath: string, budget: number) {
  const streams = flags.small ? [1, 4] : [1, 4, 8, 16, 32, 64, 128];
  const loop = {
    ...{ libraryPath, device, lanes, rounds: flags.small ? 2 : 20 },
    secondsPerLevel: budget / (streams.length + 2),
  };
  const synthesizer = openSynthesizer(loop);
  const levels: Level[] = [];
  // The first time at a level also chooses algorithms for its shapes.
  for (const count of streams) {
    const rehearsal = { ...loop, rounds: flags.small ? 1 : 3, secondsPerLevel: loop.secondsPerLevel / 4 };
    await measureLevel(synthesizer, voice, count, rehearsal);
    levels.push(await measureLevel(synthesizer, voice, count, loop));
  }
  const firstAudio = await measureFirstAudio(synthesizer, voice, flags.small ? 3 : 50);
  await synthesizer.close();
  tell(`${voice.name}: closed loop on ${flags.device}`, levels.map(rounded));
  tell(`${voice.name}: milliseconds to the first audio of a stream`, [rounded(firstAudio)]);
  draw(`throughput-${voice.name}`, 'Throughput', { x: 'streams', y: 'audio seconds per second' }, [
    { name: voice.name, points: levels.map((level) => [level.streams, level.throughput]) },
  ]);
  draw(
    `latency-${voice.name}`,
    'Latency of a sentence',
    { x: 'streams', y: 'milliseconds' },
    (['p50', 'p95', 'p99'] as const).map((name) => ({
      name,
      points: levels.map((level) => [level.streams, level[name]]),
    })),
  );
  return { levels, firstAudio };
}

function measureEngine(voice: Voice, _libraryPath: string, budget: number) {
  const addon = loadAddon();
  const coldStart = measureColdStart(addon, voice, device);
  tell(`${voice.name}: milliseconds of a cold start`, [rounded(coldStart)]);
  const sizes = flags.small ? [1, 4] : [1, 2, 4, 8, 16, 32, 64];
  const repeats = flags.small ? 2 : 10;
  const options = optionVariants(device).map((variant) => {
    const engine = load(addon, voice, variant.device);
    const batches = sizes.map((rows) => measureBatch(engine, voice, rows, repeats));
    engine.close();
    return { option: variant.option, batches };
  });
  const rows = options.flatMap(({ option, batches }) =>
    batches.map((batch) => ({ option, ...rounded({ ...batch }) })),
  );
  tell(`${voice.name}: one call with so many rows`, rows);
  draw(
    `batches-${voice.name}`,
    'Batch scaling',
    { x: 'rows', y: 'audio seconds per second' },
    options.map(({ option, batches }) => ({
      name: option,
      points: batches.map((batch) => [batch.rows, batch.throughput] as const),
    })),
  );
  const engine = load(addon, voice, device, 8);
  const count = flags.small ? 64 : 10_000;
  const memory = measureMemory(engine, voice, device, { count, seconds: budget / 3 });
  engine.close();
  draw(`memory-${voice.name}`, 'Memory over random lengths', { x: 'rows', y: 'MiB' }, [
    { name: 'device', points: memory.map((point) => [point.rows, point.deviceMebibytes]) },
    { name: 'process', points: memory.map((point) => [point.rows, point.processMebibytes]) },
  ]);
  return { coldStart, options, memory };
}

function rounded(row: object): Record<string, string | number> {
  const cells = Object.entries(row) as [string, number][];
  return Object.fromEntries(
    cells.map(([name, value]) => [name, Number.isInteger(value) ? value : value.toPrecision(4)]),
  );
}

function tell(title: string, rows: Record<string, string | number>[]): void {
  sections.push(`### ${title}\n\n${formatTable(rows)}`);
  console.log(`\n${sections.at(-1)}`);
}

function draw(name: string, title: string, labels: { x: string; y: string }, lines: Line[]): void {
  writeFileSync(join(ROOT, 'build', 'benchmarks', `gpu-${name}.svg`), plot(title, labels, lines));
}
