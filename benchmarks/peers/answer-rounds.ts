import { createInterface } from 'node:readline';
import type { Effort, Task } from './contestant.js';

type Spoken = Pick<Effort, 'audioSeconds' | 'latencies'>;

/** A contestant's side of the conversation: `speakAll` says all tasks and gives the seconds of audio it made. */
export async function answerRounds(
  version: string,
  speakAll: (tasks: Task[]) => number | Promise<number | Spoken>,
): Promise<void> {
  console.log(JSON.stringify({ version }));
  for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await measure(() => speakAll(JSON.parse(line) as Task[]))));
  }
}

async function measure(work: () => number | Promise<number | Spoken>): Promise<Effort> {
  const [started, cpuBefore] = [performance.now(), process.cpuUsage()];
  const spoken = await work();
  const cpu = process.cpuUsage(cpuBefore);
  return {
    ...(typeof spoken === 'number' ? { audioSeconds: spoken } : spoken),
    wallSeconds: (performance.now() - started) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  };
}
