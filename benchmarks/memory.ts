/*
 * Whether memory stays flat: resident memory of the service and of all its processes after each 500 of many mixed
 * requests.
 *
 *   npm run benchmark -- memory [--requests 2000]
 */
import { parseArgs } from 'node:util';
import { LantangServer } from './lantang-server.js';
import { describeMachine, writeReport } from './report.js';
import { residentOfTree } from './resident-memory.js';
import { formatTable } from './table.js';
import { readTexts } from './texts.js';

const CLIENTS = 4;
const VOICES = ['nadia', 'en_US-joe-medium'];
const FORMATS = ['opus', 'mp3', 'wav', 'ogg', 'flac', 'aac', 'pcm'];
const TEMPOS = [1, 1, 0.8, 1.5];
const PITCHES = [0, 0, 0, 3, -2];

const { values: flags } = parseArgs({ options: { requests: { type: 'string', default: '2000' } } });
const requests = Number(flags.requests);
const machine = describeMachine();
const server = await LantangServer.start();
try {
  const sentences = readTexts('sentences');
  await server.untilReady(VOICES);
  const rows = [memoryAfter(0)];
  for (let done = 0; done < requests; done += requests / 4) {
    await speakMany(done, done + requests / 4, sentences);
    rows.push(memoryAfter(done + requests / 4));
  }
  console.log(formatTable(rows));
  const [half, end] = [rows[2], rows[4]].map((row) => row?.bytes ?? NaN) as [number, number];
  const growth = end / half - 1;
  console.log(`After all, against after half: ${(growth * 100).toFixed(1)} %.`);
  console.log(`Written to ${writeReport('memory', machine, { requests, rows, growth })}.`);
} finally {
  await server.stop();
}

function memoryAfter(count: number) {
  const bytes = residentOfTree(server.pid);
  console.error(`After ${count} requests: ${(bytes / 2 ** 20).toFixed(0)} MiB.`);
  return { 'after requests': count, resident: `${(bytes / 2 ** 20).toFixed(0)} MiB`, bytes };
}

/** Requests from `first` to before `end`, by a few clients at once. */
async function speakMany(first: number, end: number, sentences: string[]): Promise<void> {
  let next = first;
  const client = async () => {
    while (next < end) await speakOne(next++, sentences);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** The n-th request: strides that share no factor, so that over time everything meets everything. */
async function speakOne(n: number, sentences: string[]): Promise<void> {
  const nth = <T>(items: T[], stride: number): T => items[(n * stride) % items.length] as T;
  const text = nth(sentences, 7);
  if (n % 10 === 9) return stream(text);
  const wait = n % 3 !== 0;
  const model = n % 23 === 0 ? nth(VOICES, 1) : undefined;
  const config = {
    wait,
    model,
    audio_format: nth(FORMATS, 1),
    tempo: nth(TEMPOS, 1),
    pitch: nth(PITCHES, 1),
  };
  const submitted = await server.request('/v2/speech/tts', { config, request: { text } });
  const job = (await submitted.json()) as { job_id: string; status: string };
  if (job.status === 'failed') throw new Error(`Job ${n} failed.`);
  if (!wait) await settled(job.job_id);
}

async function stream(input: string): Promise<void> {
  const response = await server.request('/v1/audio/speech', { model: 'tts-1', input });
  await response.arrayBuffer();
}

/** Asks for the job until it is settled, as clients do. */
async function settled(id: string): Promise<void> {
  for (;;) {
    const job = (await (await server.request(`/v2/speech/tts/${id}`)).json()) as { status: string };
    if (job.status === 'complete') return;
    if (job.status === 'failed') throw new Error(`Job ${id} failed.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
