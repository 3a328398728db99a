import { parentPort, workerData } from 'node:worker_threads';
import type { LoadRequest } from '../../src/inference/binding.js';
import { audioOf, openAddon, row } from './addon.js';

/*
 * What a worker thread of 7-sharing.test.ts runs: it loads the voice, then answers one command after the other. It
 * never closes the voice by itself. It speaks without noise: the graph as published draws its own.
 */
export type Command = { verb: 'users' } | { verb: 'speak'; ids: number[] } | { verb: 'close' };

const voice = openAddon().load(workerData as LoadRequest);

parentPort!.on('message', (command: Command) => parentPort!.postMessage(answer(command)));
parentPort!.postMessage('ready');

function answer(command: Command): unknown {
  if (command.verb === 'users') return voice.info().users;
  if (command.verb === 'speak') return audioOf(voice, [row(command.ids, { noiseScale: 0 })])[0]?.samples;
  return voice.close();
}
