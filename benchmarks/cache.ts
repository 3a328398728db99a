/*
 * What the segment cache is worth where texts repeat, as prompts and announcements do: submits that wait for their
 * audio, four in five of which ask for what was asked before, of a service with the cache and of one without.
 * The two take turns; every round begins with texts that neither has heard.
 *
 *   npm run benchmark -- cache [--requests 250] [--rounds 3] [--clients 4] [--format wav]
 */
import { parseArgs } from 'node:util';
import { LantangServer } from './lantang-server.js';
import { processorTimeOfTree } from './processor-time.js';
import { describeMachine, writeReport } from './report.js';
import { formatSpread, median, percentile, spread } from './statistics.js';
import { formatTable } from './table.js';
import { readTexts } from './texts.js';

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '250' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '4' },
    format: { type: 'string', default: 'wav' },
  },
});
const [requests, rounds, clients] = [Number(flags.requests), Number(flags.rounds), Number(flags.clients)];
/** One request in so many asks for something new. */
const NEW_EVERY = 5;
const VOICES = ['nadia', 'en_US-joe-medium'];
const CONTENDERS = { 'with the cache': 'shared', without: 'off' };

interface Prompt {
  text: string;
  tempo: number;
}

interface Round {
  voice: string;
  contender: string;
  audioSeconds: number;
  wallSeconds: number;
  cpuSeconds: number;
  milliseconds: number[];
  /** Share of segments that no lane had to speak. */
  hitRatio: number;
}

const machine = describeMachine();
const servers = new Map<string, LantangServer>();
try {
  for (const [name, cache] of Object.entries(CONTENDERS)) {
    servers.set(name, await LantangServer.start({ LANTANG_SEGMENT_CACHE: cache }));
  }
  for (const server of servers.values()) await server.untilReady(VOICES);
  const measured: Round[] = [];
  for (const voice of VOICES) {
    for (let round = 0; round < rounds; round++) {
      for (const [name, server] of servers) measured.push(await measure(server, name, voice, round));
    }
  }
  const rows = VOICES.flatMap((voice) => rowsOf(measured.filter((one) => one.voice === voice)));
  console.log(formatTable(rows));
  console.log(`Written to ${writeReport('cache', machine, { options: flags, rows, measured })}.`);
} finally {
  for (const server of servers.values()) await server.stop();
}

/** The prompts of a round, in order; the same in every run. */
function promptsOf(round: number): Prompt[] {
  const sentences = readTexts('sentences');
  const known: Prompt[] = [];
  return Array.from({ length: requests }, (_, n) => {
    if (n % NEW_EVERY > 0) return known[(n * 7919) % known.length]!;
    // Another tempo makes new prompts of the same sentences; another seed does not where a voice has no noise.
    const tempo = 1 + round / 100 + Math.floor(known.length / sentences.length) / 1000;
    known.push({ text: sentences[known.length % sentences.length]!, tempo });
    return known.at(-1)!;
  });
}

async function measure(
  server: LantangServer,
  contender: string,
  voice: string,
  round: number,
): Promise<Round> {
  const prompts = promptsOf(round).values();
  const milliseconds: number[] = [];
  let audioSeconds = 0;
  const client = async () => {
    for (const { text, tempo } of prompts) {
      const asked = performance.now();
      const seconds = await submit(server, { text, tempo, voice });
      audioSeconds += seconds;
      milliseconds.push(performance.now() - asked);
    }
  };
  const before = { answers: await answersOf(server), cpu: processorTimeOfTree(server.pid) };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const wallSeconds = (performance.now() - began) / 1000;
  const cpuSeconds = processorTimeOfTree(server.pid) - before.cpu;
  const answers = (await answersOf(server)).map((count, index) => count - before.answers[index]!);
  const [lane = 0, ...kept] = answers;
  const hits = kept.reduce((sum, count) => sum + count, 0);
  console.error(
    `${voice}, ${contender}: ${audioSeconds.toFixed(0)} s of audio in ${wallSeconds.toFixed(1)} s`,
  );
  const hitRatio = hits > 0 ? hits / (hits + lane) : 0;
  return { voice, contender, audioSeconds, wallSeconds, cpuSeconds, milliseconds, hitRatio };
}

/** Seconds of audio that came back. */
async function submit(
  server: LantangServer,
  { text, tempo, voice }: Prompt & { voice: string },
): Promise<number> {
  const response = await server.request('/v2/speech/tts', {
    config: { model: voice, wait: true, audio_format: flags.format, tempo },
    request: { text },
  });
  const job = (await response.json()) as { status: string; result: { duration: number } };
  if (job.status !== 'complete') throw new Error(`The job is ${job.status}, expected complete.`);
  return job.result.duration;
}

/** Segments by where they came from: a lane, memory, the disk, one under way for another. Zeros without a cache. */
async function answersOf(server: LantangServer): Promise<number[]> {
  const text = await (await server.request('/metrics')).text();
  return ['lane', 'memory', 'disk', 'joined'].map((source) => {
    const sample = new RegExp(`^lantang_segment_cache_answers_total\\{source="${source}"\\} (\\d+)$`, 'm');
    return Number(sample.exec(text)?.[1] ?? 0);
  });
}

function rowsOf(measured: Round[]): Record<string, string>[] {
  return Object.keys(CONTENDERS).map((contender) => {
    const own = measured.filter((one) => one.contender === contender);
    const figure = (read: (round: Round) => number, digits: number) =>
      formatSpread(spread(own.map(read)), digits);
    return {
      voice: own[0]!.voice,
      service: contender,
      'from the cache': `${(100 * median(own.map(({ hitRatio }) => hitRatio))).toFixed(0)} %`,
      'audio s a second': figure(({ audioSeconds, wallSeconds }) => audioSeconds / wallSeconds, 0),
      'CPU ms an audio s': figure(({ audioSeconds, cpuSeconds }) => (1000 * cpuSeconds) / audioSeconds, 1),
      'median ms': figure(({ milliseconds }) => median(milliseconds), 0),
      '95 % ms': figure(({ milliseconds }) => percentile(milliseconds, 0.95), 0),
    };
  });
}
