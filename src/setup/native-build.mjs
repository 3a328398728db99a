import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
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
    const cmakeJs = fromRoot('node_modules/cmake-js/bin/cmake-js');
    const jobs = String(availableParallelism());
    await runCommand(log, [process.execPath, cmakeJs, 'compile', '--parallel', jobs]);
    await writeStamp('native', before);
  },
};

function inputs() {
  return fingerprint(['CMakeLists.txt', 'native', 'node_modules/node-addon-api/package.json']);
}
