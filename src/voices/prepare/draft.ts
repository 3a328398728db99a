import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { GraphManifest } from '../manifest.js';
import type { PublishedVoice } from '../piper.js';
import { writeModel, type Model } from './onnx/model.js';
import { dimsOf, Topology } from './onnx/topology.js';
import { constantsAsInitializers } from './constants.js';
import type { Stage } from './split.js';
import { LantangError } from '../../errors.js';

/** Raised whenever preparing gives something else than before: what was cached is then made again. */
export const PREPARATION_VERSION = 8;

/** A voice's graph on its way from published to prepared. */
export interface Draft {
  /** What all stages share: the operator sets, the format's version. */
  model: Model;
  /** One, or encoder, acoustic and vocoder. */
  stages: Stage[];
  manifest: GraphManifest;
}

const INPUTS = { ids: 'input', lengths: 'input_lengths', scales: 'scales', speaker: 'sid' };

/** The graph as published. Throws `voice_invalid` where it hasn't the inputs and the output of a Piper voice. */
export function publishedDraft(model: Model, voice: PublishedVoice, sourceSha256: string): Draft {
  const graph = constantsAsInitializers(model.graph);
  const constants = new Set(graph.initializers.map(({ name }) => name));
  const inputs = graph.inputs.map(({ name }) => name).filter((name) => !constants.has(name));
  const speaker = inputs.includes(INPUTS.speaker) ? INPUTS.speaker : null;
  const expected = [INPUTS.ids, INPUTS.lengths, INPUTS.scales, ...(speaker ? [speaker] : [])];
  const audio = graph.outputs[0]?.name;
  if (!sameNames(inputs, expected) || audio === undefined) {
    const message = `The graph's inputs must be ${expected.join(', ')}, but are ${inputs.join(', ') || 'none'}.`;
    throw new LantangError('voice_invalid', message);
  }
  const topology = new Topology(graph);
  const manifest: GraphManifest = {
    version: PREPARATION_VERSION,
    sourceSha256,
    sampleRate: voice.sampleRate,
    hop: voice.hop,
    numSymbols: tableRows(topology, INPUTS.ids, voice.numSymbols),
    numSpeakers: speaker ? tableRows(topology, speaker, voice.numSpeakers) : 1,
    maxIds: voice.text.maxIds,
    stages: [],
    tensors: { ...INPUTS, speaker, durations: null, latent: null, audio },
    noise: [],
    perRowScales: false,
    vocoderReach: 0,
    batchable: false,
    lost: [],
    rewrites: [],
  };
  return { model, stages: [{ name: 'voice', graph }], manifest };
}

/** How the published file itself is loaded, untouched: as a voice of one stage, in the folder in which it lies. */
export function asPublished(
  { manifest, stages }: Draft,
  modelFile: string,
): { directory: string; manifest: GraphManifest } {
  const inputs = stages[0]!.graph.inputs.map(({ name }) => name);
  const stage = { file: basename(modelFile), inputs, outputs: [manifest.tensors.audio] };
  return { directory: dirname(modelFile), manifest: { ...manifest, stages: [stage] } };
}

function sameNames(actual: string[], expected: string[]): boolean {
  return actual.length === expected.length && expected.every((name) => actual.includes(name));
}

/** Operators that pass ids on, in another arrangement or with zeros for padding. */
const PASSING = new Set([
  'Expand',
  'Mul',
  'Pad',
  'Slice',
  'Reshape',
  'Squeeze',
  'Unsqueeze',
  'Transpose',
  'Cast',
  'Where',
  'Split',
  'Gather',
]);

/** Rows of the smallest table that an input picks from: the runtime must not be asked for a row beyond. */
function tableRows(topology: Topology, input: string, declared: number): number {
  let least = declared;
  const seen = new Set([input]);
  for (const tensor of seen) {
    for (const { operator, inputs, outputs } of topology.consumers(tensor)) {
      if (operator === 'Gather' && inputs[1] === tensor) {
        least = Math.min(least, firstSize(topology, inputs[0]!) ?? declared);
      } else if (PASSING.has(operator)) {
        for (const output of outputs) seen.add(output);
      }
    }
  }
  return least;
}

/** Of a constant, perhaps one that is stored in half precision. */
function firstSize(topology: Topology, name: string): number | undefined {
  const producer = topology.producer(name);
  const stored = topology.constant(producer?.operator === 'Cast' ? producer.inputs[0]! : name);
  return stored && dimsOf(stored)[0];
}

/** Writes a draft's stages into a folder and gives the manifest that describes them. */
export function writeDraft(draft: Draft, directory: string): GraphManifest {
  mkdirSync(directory, { recursive: true });
  const stages = draft.stages.map(({ name, graph }) => {
    const file = `${name}.onnx`;
    writeFileSync(join(directory, file), writeModel({ ...draft.model, graph }));
    return {
      file,
      inputs: graph.inputs.map((input) => input.name),
      outputs: graph.outputs.map((output) => output.name),
    };
  });
  return { ...draft.manifest, stages };
}
