import { Command } from 'commander';
import { startServer, type RunningServer } from '../main.js';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the job interface until told to stop (Ctrl-C, SIGTERM).')
    .option('--host <address>', 'address to listen on')
    .option('--port <number>', 'port to listen on; 0 takes a free one')
    .action(async (flags: { host?: string; port?: string }) => {
      const server = await startServer(flags);
      introduce(server);
      await stopped();
      const late = setTimeout(() => process.exit(1), LONGEST_CLOSE_MILLISECONDS + server.drainSeconds * 1000);
      await server.close();
      clearTimeout(late);
    });
}

/** Beyond the drain: what has not closed by then is stuck, a stopped child process for one, and is left behind. */
const LONGEST_CLOSE_MILLISECONDS = 15_000;

/** Resolves at the first signal to stop; the second ends the process at once. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
  });
}

function introduce({ url, firstKey }: RunningServer): void {
  console.log(`\nlantang speaks on ${url} (what it takes and answers: ${url}/docs)`);
  if (firstKey === undefined) return;
  console.log(`\nYour first API key, shown this once:\n\n    ${firstKey}\n\nHear it:\n`);
  console.log(`    curl -s ${url}/v1/audio/speech -H 'authorization: Bearer ${firstKey}' \\
      -d '{"input": "Loud and clear.", "response_format": "wav"}' -H 'content-type: application/json' -o hello.wav\n`);
}
