import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './paths.js';

export interface Machine {
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
  /** Work that other programs did when the run began, in cores; figures taken beside much of it are worth little. */
  loadBefore: number;
}

/** What a reader needs to know to judge a figure, without names or paths of the machine. */
export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}

/** Writes build/benchmarks/NAME.json: the rows with machine, versions, commit and date. Returns its path in the clone. */
export function writeReport(name: string, machine: Machine, content: Record<string, unknown>): string {
  const path = join('build', 'benchmarks', `${name}.json`);
  mkdirSync(join(ROOT, 'build', 'benchmarks'), { recursive: true });
  const report = {
    name,
    date: new Date().toISOString(),
    commit: commit(),
    version: version(),
    machine,
    ...content,
  };
  writeFileSync(join(ROOT, path), `${JSON.stringify(report, undefined, 2)}\n`);
  return path;
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' with changes' : '');
  } catch {
    return 'unknown';
  }
}

function version(): string {
  const { version: own } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  return own;
}
