import { Contestant, type Effort, type Task } from './peers/contestant.js';
import type { Program } from './peers/programs.js';
import { spread, type Spread } from './statistics.js';

/** Someone who takes part: one program, or as many of the same as lanes are asked for. */
export interface Entry extends Program {
  /** How many of the program run side by side; each speaks every text. */
  processes: number;
  /** How often one program is given every text, for programs that have lanes of their own. */
  repeats: number;
}

export interface Outcome {
  name: string;
  version: string;
  /** Seconds of audio per second of wall clock. */
  speed: Spread;
  /** Seconds of audio per second of processor time: comparable even where other programs take part of the machine. */
  speedPerCpu: Spread;
  /** `speed` as a multiple of the first entry's in the same round. */
  ratio: Spread;
  ratioPerCpu: Spread;
  /** Peak resident bytes of all its processes together; undefined where the system can't tell. */
  peakBytes: number | undefined;
}

interface Runner {
  entry: Entry;
  processes: Contestant[];
  efforts: Effort[];
}

/** Lets all entries speak the same tasks in turns, `rounds` times, after one round that does not count. */
export async function race(entries: Entry[], tasks: Task[], rounds: number): Promise<Outcome[]> {
  const runners: Runner[] = [];
  try {
    for (const entry of entries) await start(entry, runners);
    for (const runner of runners) await speakRound(runner, tasks.slice(0, 4));
    for (let round = 0; round < rounds; round++) {
      for (const runner of rotated(runners, round)) {
        runner.efforts.push(await speakRound(runner, tasks));
        process.stderr.write('.');
      }
    }
    process.stderr.write('\n');
    return runners.map((runner) => outcomeOf(runner, runners[0] ?? runner));
  } finally {
    await Promise.all(runners.flatMap(({ processes }) => processes.map((contestant) => contestant.stop())));
  }
}

/** The runner is listed before its programs have started: if one cannot, those that did are stopped with the rest. */
async function start(entry: Entry, runners: Runner[]): Promise<void> {
  const runner: Runner = { entry, processes: [], efforts: [] };
  runners.push(runner);
  for (let count = 0; count < entry.processes; count++) {
    runner.processes.push(await Contestant.start(entry.command, entry.args));
  }
}

/** Every round begins with another entry, so that none always runs on a warmer or busier machine. */
export function rotated<T>(items: T[], by: number): T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Wall time is from the first process's start to the last one's end: what whoever waits for all of it waits. */
async function speakRound({ entry, processes }: Runner, tasks: Task[]): Promise<Effort> {
  const repeated = Array.from({ length: entry.repeats }, () => tasks).flat();
  const started = performance.now();
  const efforts = await Promise.all(processes.map((contestant) => contestant.speak(repeated)));
  const sum = (field: 'audioSeconds' | 'cpuSeconds') =>
    efforts.reduce((total, effort) => total + effort[field], 0);
  return {
    audioSeconds: sum('audioSeconds'),
    wallSeconds: (performance.now() - started) / 1000,
    cpuSeconds: sum('cpuSeconds'),
  };
}

const speedOf = (effort: Effort) => effort.audioSeconds / effort.wallSeconds;
const speedPerCpuOf = (effort: Effort) => effort.audioSeconds / effort.cpuSeconds;

function outcomeOf({ entry, processes, efforts }: Runner, base: Runner): Outcome {
  const ratios = (speed: (effort: Effort) => number) =>
    spread(efforts.map((effort, round) => speed(effort) / speed(base.efforts[round] ?? effort)));
  const peaks = processes.map((contestant) => contestant.peakBytes());
  return {
    name: entry.name,
    version: processes[0]?.version ?? '',
    speed: spread(efforts.map(speedOf)),
    speedPerCpu: spread(efforts.map(speedPerCpuOf)),
    ratio: ratios(speedOf),
    ratioPerCpu: ratios(speedPerCpuOf),
    peakBytes: peaks.some((peak) => peak === undefined)
      ? undefined
      : peaks.reduce<number>((total, peak) => total + (peak ?? 0), 0),
  };
}
