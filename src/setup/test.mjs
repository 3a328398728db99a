// `npm test`: sets the clone up, brings what the tests need from outside, and runs mocha with the arguments given to it.
import { bringHadolint } from './hadolint.mjs';
import { fromRoot } from './paths.mjs';
import { runNode } from './run-node.mjs';
import { runProgram } from './set-up-error.mjs';
import { setUp } from './set-up.mjs';
import { bringSoftwareVulkan } from './software-vulkan.mjs';
import { bringTestVoice, TEST_CACHE } from './test-voice.mjs';

const EVERY_TEST = 'dist/test/**/*.test.js';

await runProgram(async () => {
  await setUp();
  await bringTestVoice();
  await bringSoftwareVulkan();
  await bringHadolint();
  const asked = process.argv.slice(2);
  const files = asked.some((argument) => /\.js$/.test(argument)) ? [] : [EVERY_TEST];
  const mocha = fromRoot('node_modules/mocha/bin/mocha.js');
  await runNode(['--enable-source-maps', mocha, ...asked, ...files], { LANTANG_TEST_CACHE: TEST_CACHE });
});
