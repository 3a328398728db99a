/*
 * lantang's engine without a service around it: text or ids in, samples out.
 *
 *   node lantang-engine.js DATA-FOLDER MODELS-FOLDER MODEL LANES text|ids CLIENTS
 *
 * Without clients (0) it is given all texts at once, as a batch job is; with some, each of them waits for its text.
 */
import { readSettings } from '../../src/config.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { Synthesizer } from '../../src/inference/scheduler.js';
import { defaultSetting, laneSetups, limitsOf } from '../../src/inference/tuning/setting.js';
import { openLog } from '../../src/log.js';
import { inOrder } from '../../src/speech/ahead.js';
import { synthesize } from '../../src/speech/synthesis.js';
import { openCatalogue } from '../../src/studio.js';
import { FrontEnd } from '../../src/text/front-end.js';
import { PhonemizerPool } from '../../src/text/phonemizer-pool.js';
import type { Segment, Utterance } from '../../src/text/utterance.js';
import { serveClients } from '../clients.js';
import { answerRounds } from './answer-rounds.js';
import type { Task } from './contestant.js';

const [dataDir, modelsDir, modelName = '', lanes = '1', input, clients = '0'] = process.argv.slice(2);
const settings = readSettings({ dataDir, modelsDir });
const catalogue = await openCatalogue(settings, openLog('error'));
const spoken = catalogue.find(modelName);
if (!spoken) throw new Error(`There is no model ${modelName}.`);
const libraryPath = runtimeLibrary(settings.onnxruntime);
const setting = defaultSetting({ provider: 'cpu' }, Number(lanes));
const setups = laneSetups(setting, { provider: 'cpu' }, libraryPath);
const synthesizer = new Synthesizer(setups, limitsOf(setting));
const phonemizers = input === 'text' ? new PhonemizerPool({ size: Number(lanes) }) : undefined;
const read = phonemizers ? readText(new FrontEnd(phonemizers)) : readIds;

await answerRounds(`lantang, ${input}`, async (tasks) => {
  if (Number(clients) > 0) return serveClients(Number(clients), tasks, speak);
  let seconds = 0;
  const ahead = 2 * Number(lanes);
  for await (const spokenSeconds of inOrder(tasks, ahead, (task) => speak(task))) seconds += spokenSeconds;
  return seconds;
});
await synthesizer.close();
await phonemizers?.close();

/** Seconds of audio that one task gave. */
async function speak(task: Task, client = 0): Promise<number> {
  const priority = Number(clients) > 0 ? 'interactive' : 'batch';
  const options = { priority, user: `client ${client}`, streaming: false } as const;
  const segments = synthesize(synthesizer, spoken!, await read(task), { tempo: 1, seed: 1 }, options);
  let samples = 0;
  for await (const { pieces } of segments) {
    for await (const piece of pieces) samples += piece.length;
  }
  return samples / spoken!.voice.sampleRate;
}

function readText(frontEnd: FrontEnd): (task: Task) => Promise<Utterance> {
  return ({ text }) => frontEnd.prepare({ kind: 'text', content: text }, spoken!.voice.text, {});
}

/** An utterance of ids that were made beforehand. */
function readIds(task: Task): Promise<Utterance> {
  const segments = task.segments.map(segmentOf);
  return Promise.resolve({ segments, sentences: [], spokenCharacters: task.text.length, skipped: new Map() });
}

function segmentOf(ids: number[]): Segment {
  return {
    ids: Int32Array.from(ids),
    sentence: 0,
    words: [],
    pauseBefore: 0,
    pauseAfter: 0,
    prosody: { rate: 1, pitch: 0, volume: 0 },
    marks: [],
  };
}
