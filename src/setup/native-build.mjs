import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fingerprint, readStamp, writeStamp } from './fingerprint.mjs';
import { installOnnxRuntimeHeaders } from './onnxruntime-headers.mjs';
import { fromRoot } from './paths.mjs';
import { runCommand } from './run-command.mjs';

const PRODUCTS = ['build/Release/lantang.node', 'build/Release/lantang-phonemizer'];

/** @type {import('./set-up.mjs').Step} */
export const nativeBuild = {
  name: 'native addon and phonemizer',
  isDone: async () =>
    PRODUCTS.every((path) => existsSync(fromRoot(path))) && (await readStamp('native')) === (await inputs()),
  async run(log) {
    const before = await inputs();
    await installOnnxRuntimeHeaders();
    await forgetMovedBuild();
    // `build`, not `compile`: that one answers a failure by deleting the whole build folder, this step's log included.
    const cmakeJs = fromRoot('node_modules/cmake-js/bin/cmake-js');
    await runCommand(log, [process.execPath, cmakeJs, 'build', '-p', String(availableParallelism())]);
    await writeStamp('native', before);
  },
};

function inputs() {
  return fingerprint(['CMakeLists.txt', 'native', 'node_modules/node-addon-api/package.json']);
}

/** CMake refuses a cache that was written for another folder: that of a clone that has been moved or copied. */
async function forgetMovedBuild() {
  const cache = await readFile(fromRoot('build/CMakeCache.txt'), 'utf8').catch(() => '');
  const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(cache)?.[1];
  if (home === undefined || resolve(home) === resolve(fromRoot('.'))) return;
  await rm(fromRoot('build/CMakeCache.txt'));
  await rm(fromRoot('build/CMakeFiles'), { recursive: true, force: true });
}
