/*
 * All that a GPU machine is needed for, in two runs of at most eight minutes:
 *
 *   npm run benchmark -- gpu --part load      closed loop of 1 … 128 streams beside the runtime alone, first audio
 *   npm run benchmark -- gpu --part engine    batches of 1 … 64, each option on and off, memory, cold start
 *
 * Options: [--device cuda:0] [--lanes 1] [--voices nadia,en_US-joe-medium,generated-high] [--minutes 8] [--small]
 * It writes build/benchmarks/gpu-PART.json, .md and plots. `--device cpu --small` shows anywhere that it works.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadAddon } from '../src/inference/binding.js';
import { parseDevices } from '../src/inference/devices.js';
import { runtimeOf } from '../src/studio.js';
import { benchSettings, openVoices } from './gpu/bench-voice.js';
import { measureEngine } from './gpu/engine-part.js';
import { Findings } from './gpu/findings.js';
import { measureLoad } from './gpu/load-part.js';
import { describeMachine, writeReport } from './report.js';

/** Of the time: the rest is for what is not measured. */
const MEASURED = 0.9;

const { values: flags } = parseArgs({
  options: {
    part: { type: 'string', default: 'load' },
    device: { type: 'string', default: 'cuda:0' },
    lanes: { type: 'string', default: '1' },
    voices: { type: 'string', default: 'nadia,en_US-joe-medium,generated-high' },
    minutes: { type: 'string', default: '8' },
    small: { type: 'boolean', default: false },
  },
});
const { device } = parseDevices([flags.device])[0]!;
const lanes = Number(flags.lanes);
const machine = describeMachine();
const dataDir = mkdtempSync(join(tmpdir(), 'lantang-gpu-'));
const findings = new Findings();
const report = `gpu-${flags.part}`;
try {
  const settings = benchSettings(dataDir, device);
  const libraryPath = runtimeOf(settings);
  const addon = loadAddon();
  const { version } = addon.openRuntime({ libraryPath });
  const voices = await openVoices(settings, flags.voices.split(','));
  const measure = flags.part === 'load' ? measureLoad : measureEngine;
  const results: object[] = [];
  for (const [index, bench] of voices.entries()) {
    const left = Number(flags.minutes) * 60 * MEASURED - performance.now() / 1000; // since the process began
    const task = {
      ...{ bench, addon, libraryPath, device, deviceName: flags.device, lanes, small: flags.small, findings },
      seconds: Math.max(1, left / (voices.length - index)),
    };
    results.push({ voice: bench.voice.name, ...(await measure(task)) });
    // Written after every voice: a run that is cut off has what it measured.
    const content = { device: flags.device, lanes, runtime: version, small: flags.small, results };
    const path = writeReport(report, machine, content);
    findings.write(report);
    console.log(`\nWritten to ${path}.`);
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
