/*
 * How long a caller waits, one request at a time: a submit with `wait: true` beyond the time that the model itself
 * takes, and the first byte of a streamed text.
 *
 *   npm run benchmark -- latency [--requests 100]
 */
import { parseArgs } from 'node:util';
import { LantangServer } from './lantang-server.js';
import { describeMachine, writeReport } from './report.js';
import { median, percentile } from './statistics.js';
import { formatTable } from './table.js';
import { readTexts } from './texts.js';

const SHORT_CHARACTERS = 60;
const STREAMED_CHARACTERS = 250;
const SUBMIT = `submit, wait, ${SHORT_CHARACTERS} characters, wav`;
const WARM_UP = 10;

const { values: flags } = parseArgs({ options: { requests: { type: 'string', default: '100' } } });
const requests = Number(flags.requests);
const machine = describeMachine();
const server = await LantangServer.start();
try {
  const short = ofLength(readTexts('sentences'), SHORT_CHARACTERS);
  const long = ofLength(readTexts('paragraphs'), STREAMED_CHARACTERS);
  const rows = [
    rowOf(`${SUBMIT}, audio in the answer`, await repeat(() => submit(pick(short), ''))),
    rowOf(`${SUBMIT}, audio by URL`, await repeat(() => submit(pick(short), '?as_signed_url=true'))),
    ...(await firstBytes(long)),
  ];
  console.log(formatTable(rows));
  console.log(`Written to ${writeReport('latency', machine, { requests, rows })}.`);
} finally {
  await server.stop();
}

/** Texts of exactly `length` characters, cut from longer ones. */
function ofLength(texts: string[], length: number): string[] {
  return texts.filter((text) => text.length >= length).map((text) => `${text.slice(0, length - 1)}.`);
}

function pick<T>(items: T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('No text is long enough.');
  return item;
}

/** Milliseconds of each of `requests` measurements, after some that do not count. */
async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < WARM_UP + requests; count++) {
    const time = await measure();
    if (count >= WARM_UP) times.push(time);
  }
  return times;
}

/** Milliseconds from the request to the whole answer, less the network's own time as the service tells it. */
async function submit(text: string, query: string): Promise<number> {
  const started = performance.now();
  const response = await server.request(`/v2/speech/tts${query}`, {
    config: { wait: true, audio_format: 'wav' },
    request: { text },
  });
  const job = (await response.json()) as { status: string };
  const elapsed = performance.now() - started;
  if (job.status !== 'complete') throw new Error(`The job is ${job.status}, expected complete.`);
  return elapsed - phase(response, 'infer');
}

/** Milliseconds of one phase in the Server-Timing header. */
function phase(response: Response, name: string): number {
  const timing = response.headers.get('server-timing') ?? '';
  const duration = new RegExp(`\\b${name};dur=([\\d.]+)`).exec(timing)?.[1];
  if (duration === undefined) throw new Error(`The answer's Server-Timing names no ${name}: "${timing}".`);
  return Number(duration);
}

async function firstBytes(texts: string[]) {
  const rows = [];
  for (const format of ['wav', 'mp3', 'opus']) {
    const times = await repeat(() => firstByte(pick(texts), format));
    rows.push(rowOf(`first byte, ${STREAMED_CHARACTERS} characters streamed, ${format}`, times));
  }
  return rows;
}

/** Milliseconds from the request to the first byte beyond what a container begins with, which needs no speech. */
async function firstByte(input: string, format: string): Promise<number> {
  const started = performance.now();
  const response = await server.request('/v1/audio/speech', {
    model: 'tts-1',
    input,
    response_format: format,
  });
  let first = 0;
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (first === 0 && bytes > 512) first = performance.now() - started;
  }
  if (first === 0) throw new Error(`A ${format} of ${bytes} bytes came, expected speech.`);
  return first;
}

function rowOf(what: string, times: number[]) {
  const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
  return {
    what,
    median: milliseconds(median(times)),
    '95 %': milliseconds(percentile(times, 0.95)),
    longest: milliseconds(Math.max(...times)),
  };
}
