import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../src/main.js';

/*
 * Holds the whole service against its own OpenAPI document with schemathesis: thousands of requests made from the
 * schemas, right ones and wrong ones, alone and one after the other. It ends with a status other than 0 when there was
 * a server error or an answer that the document does not promise. Arguments go to schemathesis, such as --seed.
 */
const INSTALL = `schemathesis is not installed: \`pip install schemathesis\`, then put its program on the PATH
or name it: SCHEMATHESIS=/path/to/schemathesis npm run fuzz`;

/** What the document allows and the text forbids is refused on purpose: no text, no such model, SSML that is none. */
const ON_PURPOSE = 'positive_data_acceptance';

const KEY = 'a-key-for-the-fuzzer';
const program = process.env['SCHEMATHESIS'] ?? 'schemathesis';

if (spawnSync(program, ['--version']).status === 0) {
  process.exitCode = await fuzz();
} else {
  console.error(INSTALL);
  process.exitCode = 2;
}

async function fuzz(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lantang-fuzz-'));
  const server = await startServer({
    ...{ dataDir, port: 0, logLevel: 'error', apiKey: KEY, drainSeconds: 0, syncWaitSeconds: 1 },
  });
  try {
    return await schemathesis(server.url, dataDir);
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function schemathesis(url: string, cwd: string): Promise<number> {
  const child = spawn(
    program,
    [
      ...['run', `${url}/openapi.json`, '--header', `x-api-key: ${KEY}`, '--checks', 'all'],
      ...['--exclude-checks', ON_PURPOSE, '--max-examples', '100', '--continue-on-failure'],
      ...process.argv.slice(2),
    ],
    { cwd, stdio: 'inherit' },
  );
  const [status] = (await once(child, 'exit')) as [number | null];
  return status ?? 1;
}
