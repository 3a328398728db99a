import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './paths.mjs';

/**
 * Runs a Node.js program in the clone's root, on this process's terminal, and ends as it ends.
 * @param {string[]} args the program's file and its arguments
 */
export async function runNode(args, environment = {}) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  const [status, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...outcome) => resolve(outcome));
  });
  process.exitCode = status ?? 128 + constants.signals[signal];
}
