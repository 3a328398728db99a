import { Command, InvalidArgumentError } from 'commander';
import { readSettings, type Settings } from '../config.js';
import { requireFolders } from '../folders.js';
import { loadAddon, type Addon } from '../inference/binding.js';
import { chooseDevices, isAutomatic, opensOn } from '../inference/devices.js';
import { trialEngine } from '../inference/trial-engine.js';
import { median } from '../inference/tuning/choose.js';
import type { Setting } from '../inference/tuning/setting.js';
import { peakMemory, tune, type TuneRequest } from '../inference/tuning/tune.js';
import { TuningStore, type Tuning } from '../inference/tuning/tuning-store.js';
import { openLog } from '../log.js';
import { localName } from '../model-names.js';
import { placesOf } from '../places.js';
import { readCatalogue, runtimeOf } from '../studio.js';
import type { PublishedVoice } from '../voices/piper.js';
import { tuneSteps, type StepTrial } from '../voices/prepare/tune-steps.js';
import type { Voice } from '../voices/voice.js';
import { printTable } from './table.js';
import { drawBars, writePlot } from './tuning-plot.js';

interface Flags {
  rounds: number;
  steps: boolean;
  plot?: string;
  json?: boolean;
}

export function tuneCommand(): Command {
  return new Command('tune')
    .description(
      'Measure how a voice speaks fastest on this machine, and remember it for LANTANG_DEVICES=auto.',
    )
    .argument('<voice>', 'a name that `lantang voices list` shows')
    .option('--rounds <number>', 'rounds in which every setting speaks once', roundsOf, 5)
    .option('--no-steps', 'leave the rewritings of the graph as they are')
    .option('--plot <file>', 'draw it: .svg, or .png where ffmpeg reads SVG')
    .option('--json', 'as JSON')
    .action(run);
}

/** What was measured: how lanes are best used, and what rewriting the graph gains. */
interface Report extends Tuning {
  /** Of each setting, in bytes: the largest resident memory of a process that speaks with it. */
  peakBytes: number[];
  steps: StepTrial[];
}

async function run(name: string, flags: Flags): Promise<void> {
  const settings = readSettings();
  requireFolders(settings);
  const log = flags.json ? () => {} : (line: string) => console.error(line);
  const report = await measure(settings, name, flags, log);
  if (flags.json) console.log(JSON.stringify(report, null, 2));
  else print(report, settings);
  if (!flags.json && report.steps.length > 0) printSteps(report.steps);
  if (flags.plot !== undefined) await writePlot(flags.plot, draw(name, report), settings.ffmpeg);
}

async function measure(
  settings: Settings,
  name: string,
  flags: Flags,
  log: (line: string) => void,
): Promise<Report> {
  const libraryPath = runtimeOf(settings);
  const addon = loadAddon();
  const { version, providers } = addon.openRuntime({ libraryPath });
  const catalogue = await readCatalogue(settings, openLog('silent'));
  const { voice } = await catalogue.obtain(localName(name, settings));
  const [chosen] = chooseDevices(settings.devices, providers, opensOn(addon, voice));
  const { device } = chosen!;
  const trySteps = flags.steps && device.provider === 'cpu';
  if (trySteps) log('Trying the rewritings of the graph …');
  const { steps, tuned } = trySteps
    ? rewritings(voice, catalogue.published(voice.name)!, addon)
    : { steps: [], tuned: voice };
  const request: TuneRequest = { voice: tuned, device, libraryPath, runtime: version, rounds: flags.rounds };
  log(`Measuring ${flags.rounds} rounds …`);
  const tuning = await tune(request);
  if (tuning.settled) await new TuningStore(placesOf(settings).tuning).keep(tuning);
  const peakBytes: number[] = [];
  for (const setting of tuning.settings) peakBytes.push(await peakMemory(request, setting));
  return { ...tuning, peakBytes, steps };
}

/** Tries the voice's rewritings, and leaves it prepared with those that won. */
function rewritings(
  voice: Voice,
  published: PublishedVoice,
  addon: Addon,
): { steps: StepTrial[]; tuned: Voice } {
  const { steps, prepared } = tuneSteps(published, voice.directory, trialEngine(addon), voice.manifest);
  return { steps, tuned: { ...voice, ...prepared } };
}

function roundsOf(value: string): number {
  const rounds = Number(value);
  if (Number.isInteger(rounds) && rounds >= 3 && rounds <= 100) return rounds;
  throw new InvalidArgumentError('It must be a whole number from 3 to 100.');
}

const throughputOf = (report: Report, index: number): number =>
  median(report.rounds[index]!.map(({ throughput }) => throughput));

function print(report: Report, settings: Settings): void {
  const { subject, settings: tried, index, noise } = report;
  console.log(`${subject.device}; ONNX Runtime ${subject.runtime}\n`);
  printTable(
    ['', 'lanes', 'threads', 'rows', 'buckets', 'audio s/s', 'against default', 'p95 s', 'peak MB'],
    tried.map((setting, at) => rowOf(report, setting, at)),
  );
  const percent = (100 * noise).toFixed(1);
  console.log(
    `\nThe default differed from itself by up to ${percent} % within a round: what gains less is not chosen.`,
  );
  if (!report.settled) return console.log('The machine is too busy with something else: nothing was chosen.');
  console.log(`Chosen: ${describe(tried[index]!)}${index === 0 ? ', the default' : ''}.`);
  if (!isAutomatic(settings.devices))
    console.log('LANTANG_DEVICES names devices, which goes before what is measured.');
  else console.log('A running service takes it over at its next start.');
}

function rowOf(report: Report, setting: Setting, at: number): string[] {
  const latency = median(report.rounds[at]!.map((round) => round.latency));
  return [
    at === report.index ? '→' : '',
    String(setting.lanes),
    String(setting.threads),
    String(setting.rows),
    setting.buckets ? setting.buckets.join(' ') : 'any',
    throughputOf(report, at).toFixed(1),
    `${report.gains[at]!.toFixed(2)} ×`,
    latency.toFixed(2),
    (report.peakBytes[at]! / 1e6).toFixed(0),
  ];
}

function printSteps(steps: StepTrial[]): void {
  console.log('\nRewritings of the graph, each on top of those kept before, on one thread:\n');
  printTable(
    ['rewriting', 'speed', 'difference', ''],
    steps.map(({ step, speedup, difference, kept }) => [
      step,
      speedup === undefined ? '' : `${speedup.toFixed(3)} ×`,
      difference === undefined ? 'does not speak alike' : difference.toExponential(1),
      kept ? 'kept' : 'left out',
    ]),
  );
}

function describe({ lanes, threads, rows, buckets }: Setting): string {
  const parts = [`${lanes} × ${threads} threads`, rows === 1 ? '1 row' : `${rows} rows`];
  return [...parts, ...(buckets ? ['buckets'] : [])].join(', ');
}

function draw(name: string, report: Report): string {
  const bars = report.settings.map((setting, at) => ({
    label: describe(setting),
    rounds: report.rounds[at]!.map(({ throughput }) => throughput),
    value: throughputOf(report, at),
    chosen: at === report.index,
  }));
  return drawBars(`${name} on ${report.subject.device}`, 'seconds of audio per second', bars);
}
