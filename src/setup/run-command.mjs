import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from './paths.mjs';

/**
 * Runs a program in the clone's root to its end, with what it prints appended to the file `log`.
 * Throws where it cannot be started or ends with anything but 0.
 * @param {string} log
 * @param {string[]} command the program and its arguments
 * @param {NodeJS.ProcessEnv} [environment] variables beside this process's own
 */
export async function runCommand(log, command, environment = {}) {
  const [program, ...args] = command;
  const file = await open(log, 'a');
  try {
    await file.write(`$ ${command.join(' ')}\n`);
    const stdio = ['ignore', file.fd, file.fd];
    const env = { ...process.env, ...environment };
    await ended(spawn(program, args, { cwd: ROOT, env, stdio }), command.join(' '));
  } finally {
    await file.close();
  }
}

function ended(child, name) {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`"${name}" cannot be started (${error.code}).`)));
    child.once('close', (status, signal) => {
      if (status === 0) resolve();
      else reject(new Error(`"${name}" ended with ${signal ?? `status ${status}`}.`));
    });
  });
}

/** True when the shell would find this program. */
export function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
