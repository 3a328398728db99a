import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';
import { canUseApt, installWithApt } from './system-packages.mjs';

const PIP = ['python3', '-m', 'pip', '--disable-pip-version-check', '--no-input'];

/**
 * Fetches one wheel through pip: the registry's own client finds the mirror, proxy and certificates that this machine
 * is set up for. pip puts a file into the folder only when it is whole.
 * @param {string} log
 * @param {string} folder where the wheel goes
 * @param {string[]} what the requirement, `name==version`, and options of `pip download`
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<string>} path of a wheel in the folder
 */
export async function downloadWheel(log, folder, what, environment = {}) {
  await requirePip(log);
  await runCommand(log, [...PIP, 'download', '--no-deps', '--dest', folder, ...what], environment);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error('pip downloaded no wheel.');
  return join(folder, wheel);
}

async function requirePip(log) {
  const works = () => runCommand(log, ['python3', '-m', 'pip', '--version']);
  await works().catch(async (error) => {
    if (!canUseApt()) throw error;
    await installWithApt(log, ['python3-pip']);
  });
}
