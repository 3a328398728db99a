import {
  load,
  measureBatch,
  measureColdStart,
  measureMemory,
  optionVariants,
  type BatchRun,
  type MemoryPoint,
} from './direct.js';
import type { GpuTask } from './task.js';

/** The shares of the time. */
const BATCHES = 0.6;
const MEMORY = 0.3;

/** The engine without a scheduler: cold start, batch scaling with each option on and off, memory. */
export function measureEngine(task: GpuTask): Promise<object> {
  const { bench, addon, device, findings } = task;
  const { name } = bench.voice;
  const coldStart = measureColdStart(addon, bench.voice, device);
  findings.tell(`${name}: milliseconds of a cold start`, [coldStart]);
  const options = measureOptions(task);
  findings.tell(
    `${name}: one call with so many rows`,
    options.flatMap(({ option, batches }) => batches.map((batch) => ({ option, ...batch }))),
  );
  const noted = options.flatMap(({ option, notes }) => notes.map((note) => ({ option, note })));
  if (noted.length > 0) findings.tell(`${name}: what was refused`, noted);
  findings.draw(
    `batches-${name}`,
    'Batch scaling',
    { x: 'rows', y: 'audio seconds per second' },
    options.map(({ option, batches }) => ({
      name: option,
      points: batches.map((batch) => [batch.rows, batch.throughput] as const),
    })),
  );
  const memory = measureFlatness(task);
  return Promise.resolve({ coldStart, options, memory });
}

/** What was measured of one option, and what the engine had to say about it: why it was refused, for one. */
interface MeasuredOption {
  option: string;
  batches: BatchRun[];
  notes: string[];
}

/** The default at every size, and every other option at a few. */
function measureOptions({ bench, addon, device, small, seconds }: GpuTask): MeasuredOption[] {
  const [all, few] = small
    ? [
        [1, 4],
        [1, 4],
      ]
    : [
        [1, 2, 4, 8, 16, 32, 64],
        [1, 8, 64],
      ];
  const variants = optionVariants(device);
  const calls = all.length + (variants.length - 1) * few.length;
  const limits = { repeats: small ? 2 : 10, seconds: (seconds * BATCHES) / calls };
  return variants.map((variant, index) => {
    const { option } = variant;
    try {
      const engine = load(addon, bench.voice, variant);
      const sizes = index === 0 ? all : few;
      const batches = sizes.map((rows) => measureBatch(engine, bench.voice, rows, limits));
      const notes = engine.takeNotes();
      engine.close();
      return { option, batches, notes };
    } catch (error) {
      // An option that this runtime or device does not know: the others are measured all the same.
      return { option, batches: [], notes: [(error as Error).message] };
    }
  });
}

function measureFlatness({ bench, addon, device, small, seconds, findings }: GpuTask): MemoryPoint[] {
  const engine = load(addon, bench.voice, { option: 'as configured', device }, 8);
  const limits = { count: small ? 64 : 10_000, seconds: seconds * MEMORY };
  const memory = measureMemory(engine, bench.voice, device, limits);
  engine.close();
  const { name } = bench.voice;
  const [half, last] = [memory[Math.floor(memory.length / 2)], memory.at(-1)];
  findings.tell(
    `${name}: MiB in use after so many rows of random lengths`,
    [half, last].flatMap((at) => at ?? []),
  );
  findings.draw(`memory-${name}`, 'Memory over random lengths', { x: 'rows', y: 'MiB' }, [
    { name: 'device', points: memory.map((point) => [point.rows, point.deviceMebibytes]) },
    { name: 'process', points: memory.map((point) => [point.rows, point.processMebibytes]) },
  ]);
  return memory;
}
