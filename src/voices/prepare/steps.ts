import { tellDurations } from './durations.js';
import type { Draft } from './draft.js';
import { convolveInHeightOne } from './height-one.js';
import { feedNoise } from './noise.js';
import type { Graph } from './onnx/model.js';
import { scalesPerRow, speakerPerRow } from './per-row.js';
import { findVocoder, split } from './split.js';

/** One amendment of a voice's graph. */
export interface Step {
  /** How the manifest's `rewrites` name it. */
  name: string;
  /** The sentence for `lost` where the step can't be taken; none where only speed is lost. */
  loss?: string;
  apply(draft: Draft): Draft | { lost: string };
}

/** Frames to each side that a vocoder of VITS looks at: 10 in Piper's; generously, as windows are cheap. */
const VOCODER_REACH = 16;
/** Unsqueeze and Squeeze take their axes as an input since then. */
const AXES_AS_INPUT = 13n;

/** In order: later ones build on earlier ones. */
export const STEPS: Step[] = [
  { name: 'durations told', loss: "Words can't be timed.", apply: withDurations },
  { name: 'speaker per row', loss: 'Rows run alone: a batch has one speaker.', apply: withSpeakerPerRow },
  { name: 'scales per row', loss: 'Rows run alone: a batch has one tempo.', apply: withScalesPerRow },
  { name: 'batches', loss: 'Rows run alone: in a batch they change each other.', apply: withBatches },
  { name: 'stages, noise fed in', loss: "Audio can't be streamed inside a sentence.", apply: withStages },
  { name: 'convolutions in height one', apply: withHeightOne },
];

function wholeGraph({ stages }: Draft): Graph {
  return stages[0]!.graph;
}

function withGraph(draft: Draft, graph: Graph, changes: Partial<Draft['manifest']> = {}): Draft {
  return { ...draft, stages: [{ name: 'voice', graph }], manifest: { ...draft.manifest, ...changes } };
}

function withDurations(draft: Draft): Draft | { lost: string } {
  const told = tellDurations(wholeGraph(draft));
  if ('lost' in told) return told;
  return withGraph(draft, told.graph, { tensors: { ...draft.manifest.tensors, durations: told.durations } });
}

function withSpeakerPerRow(draft: Draft): Draft {
  const { speaker } = draft.manifest.tensors;
  return speaker === null ? draft : withGraph(draft, speakerPerRow(wholeGraph(draft), speaker));
}

/** In VITS the scales meet tensors of rank 3, in the other graphs that are known ones of rank 2. */
function withScalesPerRow(draft: Draft): Draft | { lost: string } {
  const graph = wholeGraph(draft);
  const wide = scalesPerRow(graph, draft.manifest.tensors.scales, findVocoder(graph) ? 3 : 2);
  return 'lost' in wide ? wide : withGraph(draft, wide.graph, { perRowScales: true });
}

/** Whether rows are independent of each other is what the trial finds out. */
function withBatches(draft: Draft): Draft | { lost: string } {
  if (!draft.manifest.perRowScales) return draft;
  return withGraph(draft, wholeGraph(draft), { batchable: true });
}

/** Noise is fed in together with the cut: the prior's has a value per frame, whose count the first stage tells. */
function withStages(draft: Draft): Draft | { lost: string } {
  const { durations, audio } = draft.manifest.tensors;
  const vocoder = findVocoder(wholeGraph(draft));
  if (!vocoder || durations === null) {
    return {
      lost: "Audio can't be streamed inside a sentence: the graph has no vocoder that is found by its name.",
    };
  }
  const fed = feedNoise(wholeGraph(draft), durations, vocoder.channels);
  if ('lost' in fed) return fed;
  const stages = split(fed.graph, { durations, latent: vocoder.latent, audio });
  if ('lost' in stages) return stages;
  const tensors = { ...draft.manifest.tensors, latent: vocoder.latent };
  const manifest = { ...draft.manifest, tensors, noise: fed.noise, vocoderReach: VOCODER_REACH };
  return { ...draft, stages, manifest };
}

function withHeightOne(draft: Draft): Draft {
  const version =
    draft.model.opsets.find(({ domain }) => domain === '' || domain === 'ai.onnx')?.version ?? 0n;
  if (version < AXES_AS_INPUT) return draft;
  const stages = draft.stages.map(({ name, graph }) => ({ name, graph: convolveInHeightOne(graph) }));
  return { ...draft, stages };
}
