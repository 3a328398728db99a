import { measureBare } from './bare.js';
import { measureFirstAudio, measureLevel, openSynthesizer, type Level } from './closed-loop.js';
import type { GpuTask } from './task.js';

/** The shares of the time that rehearsing a level, the peer and the first audio take, in levels. */
const REHEARSAL = 0.25;
const PEER = 1;
const FIRST_AUDIO = 0.5;

/** Through the scheduler: so many streams that each want their next sentence, and the peer with one. */
export async function measureLoad(task: GpuTask): Promise<object> {
  const { bench, addon, device, deviceName, small, findings } = task;
  const streams = small ? [1, 4] : [1, 4, 8, 16, 32, 64, 128];
  const perLevel = task.seconds / (streams.length * (1 + REHEARSAL) + PEER + FIRST_AUDIO);
  const sentences = small ? 8 : 400;
  const bare = await measureBare(addon, bench, device, { sentences, seconds: perLevel * PEER });
  const levels = await measureLevels(task, streams, perLevel);
  const { name } = bench.voice;
  findings.tell(`${name}: ONNX Runtime alone, a sentence at a time, on ${deviceName}`, [bare]);
  findings.tell(
    `${name}: closed loop on ${deviceName}`,
    levels.levels.map((level) => ({ ...level, timesBare: level.throughput / bare.throughput })),
  );
  findings.tell(`${name}: milliseconds to the first audio of a stream`, [levels.firstAudio]);
  drawLevels(task, levels.levels, bare.throughput);
  return { bare, ...levels };
}

async function measureLevels(task: GpuTask, streams: number[], seconds: number) {
  const { bench, small } = task;
  const synthesizer = openSynthesizer(task);
  try {
    const levels: Level[] = [];
    for (const count of streams) {
      // The first time at a level also chooses algorithms for its shapes.
      const rehearsal = { rounds: small ? 1 : 3, secondsPerLevel: seconds * REHEARSAL };
      await measureLevel(synthesizer, bench.voice, count, rehearsal);
      const loop = { rounds: small ? 2 : 20, secondsPerLevel: seconds };
      levels.push(await measureLevel(synthesizer, bench.voice, count, loop));
    }
    const firstAudio = await measureFirstAudio(synthesizer, bench.voice, small ? 3 : 50);
    return { levels, firstAudio };
  } finally {
    await synthesizer.close();
  }
}

function drawLevels({ bench: { voice }, findings }: GpuTask, levels: Level[], bare: number): void {
  findings.draw(`throughput-${voice.name}`, 'Throughput', { x: 'streams', y: 'audio seconds per second' }, [
    { name: voice.name, points: levels.map((level) => [level.streams, level.throughput]) },
    { name: 'ONNX Runtime alone', points: levels.map((level) => [level.streams, bare]) },
  ]);
  findings.draw(
    `latency-${voice.name}`,
    'Latency of a sentence',
    { x: 'streams', y: 'milliseconds' },
    (['p50', 'p95', 'p99'] as const).map((name) => ({
      name,
      points: levels.map((level) => [level.streams, level[name]]),
    })),
  );
}
