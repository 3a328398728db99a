/*
 * sherpa-onnx-node, from the peers' cache: text in, samples out, one thread, one sentence at a time.
 *
 *   node sherpa-onnx.js FOLDER-OF-THE-PACKAGE MODEL.onnx TOKENS.txt ESPEAK-DATA
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { answerRounds } from './answer-rounds.js';

interface SherpaOnnx {
  version: string;
  onnxruntimeVersion: string;
  OfflineTts: new (config: object) => {
    generate(request: { text: string; sid: number; speed: number }): {
      samples: Float32Array;
      sampleRate: number;
    };
  };
}

const [folder = '', model, tokens, dataDir] = process.argv.slice(2);
const sherpa = createRequire(join(folder, 'package.json'))('sherpa-onnx-node') as SherpaOnnx;
const voice = new sherpa.OfflineTts({
  model: { vits: { model, tokens, dataDir }, numThreads: 1, provider: 'cpu' },
  maxNumSentences: 1,
});

const name = `sherpa-onnx-node ${sherpa.version} (ONNX Runtime ${sherpa.onnxruntimeVersion})`;
await answerRounds(name, (tasks) =>
  tasks.reduce((seconds, { text }) => {
    const { samples, sampleRate } = voice.generate({ text, sid: 0, speed: 1 });
    return seconds + samples.length / sampleRate;
  }, 0),
);
