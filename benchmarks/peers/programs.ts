import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSettings } from '../../src/config.js';
import { openLog } from '../../src/log.js';
import { openCatalogue } from '../../src/studio.js';
import { FrontEnd } from '../../src/text/front-end.js';
import { PhonemizerPool } from '../../src/text/phonemizer-pool.js';
import { CACHE, ROOT } from '../paths.js';
import { publishedFile } from '../published-voice.js';
import { readTexts } from '../texts.js';
import type { Task } from './contestant.js';
import { espeakData, installPiper, installSherpaOnnx } from './install.js';
import { prepareForSherpa } from './sherpa-model.js';

/** A program that takes part, and how it is started. */
export interface Program {
  name: string;
  command: string;
  args: string[];
}

/** The texts with their ids, as lantang's own front end makes them: all are measured on the same segments' worth. */
export async function readTasks(
  dataDir: string,
  voiceName: string,
  name: 'sentences' | 'paragraphs',
): Promise<Task[]> {
  const phonemizers = new PhonemizerPool({ size: 1 });
  const frontEnd = new FrontEnd(phonemizers);
  const catalogue = await openCatalogue(readSettings({ dataDir, modelsDir: CACHE }), openLog('error'));
  const voice = catalogue.find(voiceName)?.voice;
  if (!voice) throw new Error(`There is no voice ${voiceName} in models/ or in the cache.`);
  const tasks: Task[] = [];
  for (const text of readTexts(name)) {
    const { segments } = await frontEnd.prepare({ kind: 'text', content: text }, voice.text, {});
    tasks.push({ text, segments: segments.map(({ ids }) => [...ids]) });
  }
  await phonemizers.close();
  return tasks;
}

/** lantang's engine, given texts or ids; with `clients`, that many ask it for a text each, again and again. */
export function lantangEngine(
  dataDir: string,
  voice: string,
  lanes: number,
  input: 'text' | 'ids',
  clients = 0,
): Program {
  const args = [dataDir, CACHE, voice, String(lanes), input, String(clients)];
  return { name: `lantang, ${input}`, ...node('lantang-engine', args) };
}

/** What any program can reach with the published graph: ids made beforehand, and the runtime. */
export function bareRuntime(voice: string): Program {
  return { name: 'onnxruntime-node, ids', ...node('onnxruntime', [publishedFile(voice)]) };
}

/** Installed into the cache where they are not yet there. */
export function textPeers(voice: string): Program[] {
  const model = publishedFile(voice);
  const sherpa = prepareForSherpa(model);
  const sherpaArgs = [installSherpaOnnx(), sherpa.model, sherpa.tokens, espeakData()];
  const piper = join(ROOT, 'benchmarks', 'peers', 'piper_tts.py');
  return [
    { name: 'sherpa-onnx-node, text', ...node('sherpa-onnx', sherpaArgs) },
    { name: 'piper, text', command: installPiper(), args: [piper, model] },
  ];
}

function node(program: string, args: string[]) {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(`${program}.js`, import.meta.url)), ...args],
  };
}
