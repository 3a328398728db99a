/*
 * The bare runtime: onnxruntime-node runs the graph as published, one intra-op thread, one segment at a time, with ids
 * made beforehand. What a program could reach with no engine of its own.
 *
 *   node onnxruntime.js VOICE.onnx
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { answerRounds } from './answer-rounds.js';

interface VoiceJson {
  audio: { sample_rate: number };
  inference: { noise_scale: number; length_scale: number; noise_w: number };
}

const [model = ''] = process.argv.slice(2);
const { audio, inference } = JSON.parse(readFileSync(`${model}.json`, 'utf8')) as VoiceJson;
const session = await InferenceSession.create(model, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
});
const scales = Float32Array.of(inference.noise_scale, inference.length_scale, inference.noise_w);

/** Seconds of audio that one segment gave. */
async function speak(ids: number[]): Promise<number> {
  const output = await session.run({
    input: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    input_lengths: new Tensor('int64', BigInt64Array.of(BigInt(ids.length)), [1]),
    scales: new Tensor('float32', scales, [3]),
    ...(session.inputNames.includes('sid') && { sid: new Tensor('int64', BigInt64Array.of(0n), [1]) }),
  });
  return (output['output']?.size ?? 0) / audio.sample_rate;
}

const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string };
await answerRounds(`onnxruntime-node ${version}`, async (tasks) => {
  let seconds = 0;
  for (const ids of tasks.flatMap((task) => task.segments)) seconds += await speak(ids);
  return seconds;
});
