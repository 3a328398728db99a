import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Server } from 'node:http';

/** What a server in a process of its own tells the benchmark, and is asked by it. */
export type FromServer =
  { ready: { port: number; ids: string[] } } | { delay: LoopDelay; cpuSeconds: number };
export type ToServer = 'measure' | 'report';

/** How late the event loop was, milliseconds. */
export interface LoopDelay {
  p50: number;
  p99: number;
  max: number;
}

/** Listens and lets itself be measured. */
export async function serveMeasured(server: Server, ids: string[]): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  beMeasured((server.address() as AddressInfo).port, ids);
}

/** Tells where this process listens and which jobs it has, and measures between `measure` and `report`. */
export function beMeasured(port: number, ids: string[]): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let cpu = process.cpuUsage();
  process.on('message', (asked: ToServer) => {
    if (asked === 'measure') {
      cpu = process.cpuUsage();
      return delay.reset();
    }
    const { user, system } = process.cpuUsage(cpu);
    tell({
      cpuSeconds: (user + system) / 1e6,
      delay: {
        p50: milliseconds(delay.percentile(50)),
        p99: milliseconds(delay.percentile(99)),
        max: milliseconds(delay.max),
      },
    });
  });
  process.on('disconnect', () => process.exit(0));
  tell({ ready: { port, ids } });
}

function tell(message: FromServer): void {
  process.send!(message);
}

function milliseconds(nanoseconds: number): number {
  return Math.round(nanoseconds / 1e4) / 100;
}
