import autocannon from 'autocannon';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { FromServer, LoopDelay, ToServer } from './http/measured-server.js';
import { describeMachine, writeReport } from './report.js';
import { median } from './statistics.js';
import { formatTable } from './table.js';

/*
 * How many requests a second the interface answers, with many jobs stored: asynchronous submits, status polls and
 * list pages, against Koa and better-sqlite3 with nothing in between. Each server is a process of its own; they take
 * turns, so that what else the machine does falls on all alike.
 */
const { values: options } = parseArgs({
  options: {
    jobs: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
});
const KEY = 'a-key-for-the-benchmark';
const SPEAKING = 'lantang, speaking';

interface Contender {
  name: string;
  process: ChildProcess;
  ended: Promise<unknown>;
  url: string;
  ids: string[];
}

interface Figure {
  workload: string;
  server: string;
  perSecond: number;
  /** Processor time of the server a request: comparable also where other programs take part of the machine. */
  cpuMicroseconds: number;
  latencyP99: number;
  loopDelay: LoopDelay;
  errors: number;
}

type Workload = (contender: Contender) => autocannon.Request[];

const WORKLOADS: Record<string, Workload> = {
  submit: () => [
    {
      method: 'POST',
      path: '/v2/speech/tts',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        config: { model: 'nadia', wait: false, audio_format: 'opus' },
        request: { text: 'The quick brown fox jumps over the lazy dog, and comes back.', label: 'benchmark' },
      }),
    },
  ],
  status: ({ ids }) => ids.map((id) => ({ method: 'GET', path: `/v2/speech/tts/${id}/status` })),
  'list page': () =>
    Array.from({ length: 200 }, (_, index) => ({
      method: 'GET',
      path: `/v2/speech/tts?page=${1 + ((index * 7919) % Math.ceil(Number(options.jobs) / 10))}`,
    })),
  'first page': () => [{ method: 'GET', path: '/v2/speech/tts' }],
};

const machine = describeMachine();
const directory = await mkdtemp(join(tmpdir(), 'lantang-benchmark-'));
try {
  const figures = [
    ...(await race([
      await start('lantang', 'lantang-server', KEY),
      await start('lantang, with its log', 'lantang-server', KEY, 'info'),
      await start('bare, durable', 'bare-server', 'durable'),
      await start('bare, lazy', 'bare-server', 'lazy'),
    ])),
    // Alone, as it keeps the processor busy also while another one is measured.
    ...(await race([await start(SPEAKING, 'speaking-server', KEY)])),
  ];
  const rows = summary(figures);
  console.log(formatTable(rows));
  console.log(writeReport('http', machine, { options, rows }));
} finally {
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
}

/** Every workload on each server in turn; then they end. */
async function race(contenders: Contender[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const workload of Object.keys(WORKLOADS)) {
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const contender of contenders) figures.push(await measure(workload, contender));
    }
  }
  for (const contender of contenders) contender.process.disconnect();
  await Promise.all(contenders.map((contender) => contender.ended));
  return figures;
}

async function start(name: string, file: string, ...argv: string[]): Promise<Contender> {
  const path = fileURLToPath(new URL(`./http/${file}.js`, import.meta.url));
  const own = await mkdtemp(join(directory, 'server-'));
  const child = fork(path, [own, options.jobs, ...argv], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { ready } = (await message(child)) as Extract<FromServer, { ready: unknown }>;
  return {
    name,
    process: child,
    ended: once(child, 'exit'),
    url: `http://127.0.0.1:${ready.port}`,
    ids: ready.ids,
  };
}

async function measure(workload: string, contender: Contender): Promise<Figure> {
  await load(workload, contender, 1);
  contender.process.send('measure' satisfies ToServer);
  const result = await load(workload, contender, Number(options.seconds));
  contender.process.send('report' satisfies ToServer);
  const { delay, cpuSeconds } = (await message(contender.process)) as Extract<FromServer, { delay: unknown }>;
  return {
    workload,
    server: contender.name,
    perSecond: result.requests.average,
    latencyP99: result.latency.p99,
    cpuMicroseconds: (cpuSeconds * 1e6) / Math.max(1, result.requests.total),
    loopDelay: delay,
    errors: result.errors + result.timeouts + result.non2xx,
  };
}

function load(workload: string, contender: Contender, seconds: number): Promise<autocannon.Result> {
  return autocannon({
    url: contender.url,
    connections: Number(options.connections),
    duration: seconds,
    headers: { 'x-api-key': KEY },
    requests: WORKLOADS[workload]!(contender),
  });
}

async function message(child: ChildProcess): Promise<FromServer> {
  const [received] = (await once(child, 'message')) as [FromServer];
  return received;
}

/**
 * One row a workload and server: medians of the rounds. A bare insert that waits for the disk, as ours does, is the
 * limit; a lazy one loses what the power takes.
 */
function summary(figures: Figure[]): Record<string, string | number>[] {
  return [...new Set(figures.map((figure) => `${figure.workload}|${figure.server}`))].map((pair) => {
    const [workload, server] = pair.split('|') as [string, string];
    const rate = (of: string, doing = workload) =>
      median(
        figures.filter((one) => one.workload === doing && one.server === of).map((one) => one.perSecond),
      );
    const own = figures.filter((one) => one.workload === workload && one.server === server);
    return {
      workload,
      server,
      'per second': Math.round(rate(server)),
      'CPU µs': Math.round(median(own.map((one) => one.cpuMicroseconds))),
      'of the same, bare': (rate(server) / rate('bare, durable')).toFixed(2),
      'of a bare insert': (rate(server) / rate('bare, durable', 'submit')).toFixed(2),
      'of a lazy one': (rate(server) / rate('bare, lazy', 'submit')).toFixed(2),
      'latency p99 ms': median(own.map((one) => one.latencyP99)),
      'loop p99 ms': median(own.map((one) => one.loopDelay.p99)),
      errors: own.reduce((sum, one) => sum + one.errors, 0),
    };
  });
}
