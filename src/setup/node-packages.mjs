import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fromRoot } from './paths.mjs';
import { isOnPath, runCommand } from './run-command.mjs';

const SQLITE_BINARY = fromRoot('node_modules/better-sqlite3/build/Release/better_sqlite3.node');

/** @type {import('./set-up.mjs').Step} */
export const nodePackages = {
  name: 'Node packages',
  isDone: async () => (await packagesMatchLock()) && sqliteLoads(),
  async run(log) {
    if (!(await packagesMatchLock())) await npm(log, 'ci');
    if (!sqliteLoads()) await npm(log, 'rebuild', 'better-sqlite3', '--ignore-scripts=false');
    if (!sqliteLoads()) throw new Error('better-sqlite3 was installed, but this Node.js cannot load it.');
  },
};

/** True when node_modules holds what package-lock.json asks for, whoever put it there. */
async function packagesMatchLock() {
  const [asked, installed] = await Promise.all([
    readPackages('package-lock.json'),
    readPackages('node_modules/.package-lock.json'),
  ]);
  return Object.entries(asked).every(
    ([path, entry]) => path === '' || entry.optional || installed[path]?.version === entry.version,
  );
}

async function readPackages(path) {
  const text = await readFile(fromRoot(path), 'utf8').catch(() => '{}');
  return JSON.parse(text).packages ?? {};
}

/** Built for another Node.js, or not built because scripts were off: either way it does not load. */
function sqliteLoads() {
  if (!existsSync(SQLITE_BINARY)) return false;
  try {
    createRequire(import.meta.url)(SQLITE_BINARY);
    return true;
  } catch {
    return false;
  }
}

/** The npm that runs this process, where one does; else the one on the path. */
async function npm(log, ...args) {
  const running = process.env.npm_execpath ?? '';
  const isNpm = basename(running) === 'npm-cli.js';
  if (!isNpm && !isOnPath('npm')) {
    throw new Error(
      'npm is not on the path. It comes with Node.js; some distributions package it apart as "npm".',
    );
  }
  const program = isNpm ? [process.execPath, running] : ['npm'];
  await runCommand(log, [...program, ...args, '--no-audit', '--no-fund'], npmEnvironment());
}

function npmEnvironment() {
  return {
    // The CUDA parts, hundreds of megabytes, are another set-up's business; the CPU library is in the package.
    ONNXRUNTIME_NODE_INSTALL: 'skip',
    ONNXRUNTIME_NODE_INSTALL_CUDA: 'skip',
    NODE_ENV: 'development',
    npm_config_jobs: 'max',
    ...nodeHeaders(),
  };
}

/** better-sqlite3 compiles itself where no built one can be had: with this Node's own headers, nothing is downloaded. */
function nodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  const present = existsSync(join(prefix, 'include/node/node_version.h'));
  return present && !process.env.npm_config_nodedir ? { npm_config_nodedir: prefix } : {};
}
