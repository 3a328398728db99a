import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { filesUnder, fingerprint, readStamp, writeStamp } from './fingerprint.mjs';
import { fromRoot } from './paths.mjs';
import { runCommand } from './run-command.mjs';

const SOURCE_FOLDERS = ['src', 'test', 'benchmarks'];

/** @type {import('./set-up.mjs').Step} */
export const typescriptBuild = {
  name: 'TypeScript',
  isDone: async () =>
    existsSync(fromRoot('dist/.tsbuildinfo')) && (await readStamp('typescript')) === (await inputs()),
  async run(log) {
    const before = await inputs();
    await runCommand(log, [process.execPath, fromRoot('node_modules/typescript/bin/tsc')]);
    await removeOrphans();
    await writeStamp('typescript', before);
  },
};

function inputs() {
  const paths = [...SOURCE_FOLDERS, 'tsconfig.json', 'node_modules/.package-lock.json'];
  return fingerprint(paths, (path) => /\.(ts|json)$/.test(path));
}

/** Takes away what was compiled from sources that are gone: a test that was deleted must not run again. */
async function removeOrphans() {
  const compiled = (await filesUnder('dist')).filter((path) => /\.js(\.map)?$/.test(path));
  const orphans = compiled.filter((path) => !existsSync(fromRoot(sourceOf(path))));
  await Promise.all(orphans.map((path) => rm(fromRoot(path), { force: true })));
}

const sourceOf = (path) => path.replace(/^dist./, '').replace(/\.js(\.map)?$/, '.ts');
