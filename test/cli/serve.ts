import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** `lantang serve` as a process of its own, on a free port. */
export interface Service {
  url: string;
  child: ChildProcess;
}

/** Resolves when it listens; `variables` are added to the environment. */
export async function serve(dataDir: string, variables: NodeJS.ProcessEnv): Promise<Service> {
  const child = spawn(process.execPath, ['dist/src/cli.js', 'serve', '--port', '0'], {
    env: { ...process.env, LANTANG_DATA_DIR: dataDir, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /speaks on (\S+)/.exec(line)?.[1];
    if (url) return { url, child };
  }
  throw new Error('The service ended before it listened.');
}
