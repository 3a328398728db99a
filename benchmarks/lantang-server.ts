import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CACHE } from './paths.js';

const PROGRAM = new URL('../src/cli.js', import.meta.url);
const KEY = 'benchmark-key-0123456789abcdef';

/** A lantang service of its own, started as a user would, with a fresh data folder and the tests' public voice. */
export class LantangServer {
  private constructor(
    readonly url: string,
    readonly pid: number,
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {}

  /** Resolves once it says where it listens; that is after its default voice is warm. */
  static async start(environment: Record<string, string> = {}): Promise<LantangServer> {
    const dataDir = mkdtempSync(join(tmpdir(), 'lantang-benchmark-'));
    const settings = {
      LANTANG_PORT: '0',
      LANTANG_DATA_DIR: dataDir,
      LANTANG_MODELS_DIR: CACHE,
      LANTANG_API_KEY: KEY,
      LANTANG_LOG_LEVEL: 'error',
      // What is measured is speaking, and the texts repeat.
      LANTANG_SEGMENT_CACHE: 'off',
    };
    const child = spawn(process.execPath, [PROGRAM.pathname, 'serve'], {
      env: { ...process.env, ...settings, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await addressIn(child);
    return new LantangServer(url, child.pid ?? 0, child, dataDir);
  }

  /** Resolves once these voices can speak: all but the default one are readied while the service already answers. */
  async untilReady(voices: readonly string[]): Promise<void> {
    for (;;) {
      const models = (await (await this.request('/v2/speech/tts/models')).json()) as { name: string }[];
      if (voices.every((voice) => models.some(({ name }) => name === voice))) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** A request with the service's key; throws on any status but 2xx, with the body as its message. */
  async request(path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${this.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': KEY, authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  async stop(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.kill('SIGTERM');
    await closed;
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

async function addressIn(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The service has no standard output.');
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /\bon (http:\/\/\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    return address;
  }
  throw new Error('The service ended before it said where it listens.');
}
