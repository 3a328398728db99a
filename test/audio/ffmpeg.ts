import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

const MISSING = spawnSync('ffmpeg', ['-version']).status !== 0;

/** A suite that needs the real ffmpeg; skipped, saying so, where there is none. */
export function describeWithFfmpeg(title: string, body: (this: Mocha.Suite) => void): void {
  if (MISSING) describe.skip(`${title} (skipped: no ffmpeg on this machine)`, body);
  else describe(title, body);
}

/** Where the ffmpeg lies that PATH leads to. */
export function pathOfFfmpeg(): string {
  return execFileSync('sh', ['-c', 'command -v ffmpeg'], { encoding: 'utf8' }).trim();
}

/** A script that answers as ffmpeg does when it is asked what it can do, and else does `work`. */
export function scriptedFfmpeg(path: string, work: string): string {
  const answers = `case "$*" in *-encoders*|*-filters*|*-formats*) exec ${pathOfFfmpeg()} "$@";; esac`;
  writeFileSync(path, `#!/bin/sh\n${answers}\n${work}\n`);
  chmodSync(path, 0o755);
  return path;
}

export interface Probe {
  format: { format_name: string; duration?: string };
  streams: { codec_name: string; sample_rate: string; channels: number; start_pts: number }[];
}

/** What ffprobe says of a file; `input` are options for files that do not tell themselves. */
export async function probe(path: string, input: string[] = []): Promise<Probe> {
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...[
      '-v',
      'error',
      '-show_entries',
      'format=format_name,duration:stream=codec_name,sample_rate,channels,start_pts',
    ],
    ...['-of', 'json', ...input, path],
  ]);
  return JSON.parse(stdout) as Probe;
}

/** A file's samples as ffmpeg decodes them, at `rate`. */
export async function decode(path: string, rate: number, input: string[] = []): Promise<Float32Array> {
  const decoder = spawn(
    'ffmpeg',
    ['-v', 'error', '-nostdin', ...input, '-i', path, '-f', 'f32le', '-ac', '1', '-ar', `${rate}`, 'pipe:1'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const bytes = await buffer(decoder.stdout);
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** Ids of the running children of a process. */
export function childrenOf(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith('Z'))
    .map(([child]) => Number(child));
}

export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

/** Milliseconds, less than the time limit of a test: a vain wait must not go on beside the tests after it. */
const LONGEST_WAIT = 100_000;

/** Looks until what is asked for is there, as other processes send no events; says what it looked for in vain. */
export async function eventually<Value>(look: () => Value | undefined | false): Promise<Value> {
  const end = performance.now() + LONGEST_WAIT;
  for (;;) {
    const value = look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`Waited in vain for ${look.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
