import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GraphManifest } from '../../src/voices/manifest.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Folders of the voices that the tests speak with; all but the first may be absent. */
export const EMBEDDED_VOICES = join(repository, 'models');
export const SHARED_VOICES = process.env.LANTANG_TEST_VOICES ?? join(repository, '../shared/voice');
export const FETCHED_VOICES = process.env.LANTANG_TEST_CACHE ?? join(homedir(), '.cache/lantang');

/** Skips the suite's tests where a voice is absent; the title of the skipped suite then tells why. */
export function requireVoice(context: Mocha.Context, path: string): string {
  if (existsSync(path)) return path;
  const suite = context.test?.parent;
  if (suite) suite.title += ` (skipped: there is no ${basename(path)})`;
  return context.skip();
}

/** A voice as it was published, by hand: one whole graph, one row a run. The embedded voices tell their durations. */
export function publishedManifest(file: string, changes: Partial<GraphManifest> = {}): GraphManifest {
  return {
    version: 1,
    sourceSha256: 'published',
    sampleRate: 24000,
    hop: 256,
    numSymbols: 256,
    numSpeakers: 1,
    maxIds: 20_000,
    stages: [{ file, inputs: ['input', 'input_lengths', 'scales'], outputs: ['output', 'durations'] }],
    tensors: {
      ids: 'input',
      lengths: 'input_lengths',
      scales: 'scales',
      speaker: null,
      durations: 'durations',
      latent: null,
      audio: 'output',
    },
    noise: [],
    perRowScales: false,
    vocoderReach: 0,
    batchable: false,
    lost: [],
    rewrites: [],
    ...changes,
  };
}

/** The embedded voice as it was published. */
export function publishedEnglish(changes: Partial<GraphManifest> = {}): GraphManifest {
  return { ...publishedSpeakersManifest('english.onnx', 2), ...changes };
}

/** The same of a voice of several speakers. */
export function publishedSpeakersManifest(file: string, numSpeakers: number): GraphManifest {
  const manifest = publishedManifest(file, { numSpeakers });
  manifest.tensors.speaker = 'sid';
  manifest.stages[0]?.inputs.push('sid');
  return manifest;
}
