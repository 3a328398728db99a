/*
 * How long a caller waits when more call than the machine can serve at once: so many clients, each of which asks for
 * its next sentence as soon as it has the last one. Peers are one program a lane, and whichever is free takes whoever
 * has waited longest; lantang is one program with as many lanes.
 *
 *   npm run benchmark -- saturation [--clients 8] [--sentences 12] [--rounds 3] [--voice en_US-joe-medium] [--lanes 2]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serveClients, type ClientsResult } from './clients.js';
import { ContestantPool } from './peers/contestant-pool.js';
import { Contestant, type Task } from './peers/contestant.js';
import { lantangEngine, readTasks, textPeers, type Program } from './peers/programs.js';
import { rotated } from './race.js';
import { describeMachine, writeReport } from './report.js';
import { formatSpread, percentile, spread, type Spread } from './statistics.js';
import { formatTable } from './table.js';

const { values: flags } = parseArgs({
  options: {
    clients: { type: 'string', default: '8' },
    sentences: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '3' },
    voice: { type: 'string', default: 'en_US-joe-medium' },
    lanes: { type: 'string', default: '2' },
  },
});
const [clients, lanes, rounds] = [flags.clients, flags.lanes, flags.rounds].map(Number) as [
  number,
  number,
  number,
];

/** One who is asked by clients. */
interface Entrant {
  name: string;
  version: string;
  serve: (tasks: Task[]) => Promise<ClientsResult>;
  stop: () => Promise<void>;
}

interface Outcome {
  name: string;
  version: string;
  /** Seconds of audio per second. */
  speed: Spread;
  p50: Spread;
  p95: Spread;
  p99: Spread;
  /** `p95` as a multiple of lantang's in the same round. */
  p95Ratio: Spread;
}

interface Round {
  speed: number;
  latencies: number[];
}

const machine = describeMachine();
const dataDir = mkdtempSync(join(tmpdir(), 'lantang-saturation-'));
const entrants: Entrant[] = [];
try {
  const texts = await readTasks(dataDir, flags.voice, 'sentences');
  const tasks = Array.from({ length: clients * Number(flags.sentences) }, (_, i) => texts[i % texts.length]!);
  entrants.push(await startLantang(lantangEngine(dataDir, flags.voice, lanes, 'text', clients)));
  for (const peer of textPeers(flags.voice)) entrants.push(await startPeer(peer));
  const outcomes = outcomesOf(await measure(tasks));
  console.log(
    `\n${flags.voice}, ${clients} clients on ${lanes} lanes\n\n${formatTable(outcomes.map(rowOf))}`,
  );
  console.log(`\nWritten to ${writeReport('saturation', machine, { ...flags, outcomes })}.`);
} finally {
  await Promise.all(entrants.map((entrant) => entrant.stop()));
  rmSync(dataDir, { recursive: true, force: true });
}

async function startLantang(program: Program): Promise<Entrant> {
  const contestant = await Contestant.start(program.command, program.args);
  const serve = async (tasks: Task[]) => {
    const { audioSeconds, latencies = [] } = await contestant.speak(tasks);
    return { audioSeconds, latencies };
  };
  return { name: program.name, version: contestant.version, serve, stop: () => contestant.stop() };
}

async function startPeer(program: Program): Promise<Entrant> {
  const pool = await ContestantPool.start(program.command, program.args, lanes);
  const serve = (tasks: Task[]) => serveClients(clients, tasks, (task) => pool.speak(task));
  return { name: program.name, version: pool.version, serve, stop: () => pool.stop() };
}

/** Rounds of each entrant, in turns, after one that does not count. */
async function measure(tasks: Task[]): Promise<Round[][]> {
  const measured = entrants.map((): Round[] => []);
  for (const entrant of entrants) await entrant.serve(tasks.slice(0, clients));
  for (let round = 0; round < rounds; round++) {
    for (const index of rotated([...entrants.keys()], round)) {
      const began = performance.now();
      const { audioSeconds, latencies } = await entrants[index]!.serve(tasks);
      measured[index]!.push({ speed: audioSeconds / ((performance.now() - began) / 1000), latencies });
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  return measured;
}

function outcomesOf(measured: Round[][]): Outcome[] {
  const at = (fraction: number) => (round: Round) => percentile(round.latencies, fraction);
  const ours = measured[0]!.map(at(0.95));
  return entrants.map(({ name, version }, index) => {
    const own = measured[index]!;
    return {
      ...{ name, version, speed: spread(own.map(({ speed }) => speed)) },
      ...{ p50: spread(own.map(at(0.5))), p95: spread(own.map(at(0.95))), p99: spread(own.map(at(0.99))) },
      p95Ratio: spread(own.map((round, i) => at(0.95)(round) / ours[i]!)),
    };
  });
}

function rowOf({ name, speed, p50, p95, p99, p95Ratio }: Outcome) {
  return {
    who: name,
    '× real time': formatSpread(speed, 1),
    'p50 ms': formatSpread(p50, 0),
    'p95 ms': formatSpread(p95, 0),
    'p99 ms': formatSpread(p99, 0),
    'p95, × lantang': formatSpread(p95Ratio),
  };
}
