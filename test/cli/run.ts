import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

export interface Outcome {
  status: number | null;
  stdout: string;
  /** The same as bytes, for audio. */
  bytes: Buffer;
  stderr: string;
}

/** Runs `lantang` with these arguments as a process of its own, as a person would; `input` is its standard input. */
export async function lantang(
  args: string[],
  { dataDir, input = '', variables = {} }: { dataDir: string; input?: string; variables?: NodeJS.ProcessEnv },
): Promise<Outcome> {
  const child = spawn(process.execPath, ['dist/src/cli.js', ...args], {
    env: { ...process.env, LANTANG_DATA_DIR: dataDir, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const status = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.end(input);
  const [bytes, stderr] = await Promise.all([buffer(child.stdout), text(child.stderr)]);
  return { status: await status, stdout: bytes.toString(), bytes, stderr };
}
