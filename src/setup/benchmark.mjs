// `npm run benchmark -- NAME …`: sets the clone up, then runs one workload of benchmarks/.
import { existsSync } from 'node:fs';
import { fromRoot } from './paths.mjs';
import { runNode } from './run-node.mjs';
import { runProgram, SetUpError } from './set-up-error.mjs';
import { setUp } from './set-up.mjs';
import { bringTestVoice, TEST_CACHE } from './test-voice.mjs';

await runProgram(async () => {
  await setUp();
  await bringTestVoice();
  const [name = '', ...options] = process.argv.slice(2);
  const program = fromRoot(`dist/benchmarks/${name}.js`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(program)) {
    throw new SetUpError('Name a workload of benchmarks/: engine, latency, memory, recognition …');
  }
  await runNode([program, ...options], { LANTANG_TEST_CACHE: TEST_CACHE });
});
