import { tellDurations } from './durations.js';
import type { Draft } from './draft.js';
import { convolveInHeightOne } from './height-one.js';
import { feedNoise, makesNoise } from './noise.js';
import { fuseGelus } from './gelu.js';
import { fuseLayerNorms, LAYER_NORM_OPSET, MEAN_AXES_AS_INPUT } from './layer-norm.js';
import type { Graph, OperatorSet } from './onnx/model.js';
import { padInConvolutions } from './padding.js';
import { vocoderReach } from './reach.js';
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

/** Frames beyond what the vocoder's convolutions need: windows are cheap, a seam is not. */
const SPARE_FRAMES = 2;
/** Unsqueeze and Squeeze take their axes as an input since then. */
const AXES_AS_INPUT = 13n;

/** In order: later ones build on earlier ones. */
export const STEPS: Step[] = [
  { name: 'durations told', loss: "Words can't be timed.", apply: withDurations },
  { name: 'speaker per row', loss: 'Rows run alone: a batch has one speaker.', apply: withSpeakerPerRow },
  { name: 'scales per row', loss: 'Rows run alone: a batch has one tempo.', apply: withScalesPerRow },
  { name: 'batches', loss: 'Rows run alone: in a batch they change each other.', apply: withBatches },
  { name: 'noise fed in', loss: 'Noise is not seeded.', apply: withNoise },
  // Before the cut: what a gelu's rounding comes to may lie in another stage.
  { name: 'gelus fused', apply: withGelus },
  { name: 'stages, noise fed in', loss: "Audio can't be streamed inside a sentence.", apply: withStages },
  { name: 'layer norms fused', apply: withLayerNorms },
  { name: 'padding in convolutions', apply: withPadding },
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

/** Into graphs that stay whole; it must be noise per id, for how many frames there will be nobody knows beforehand. */
function withNoise(draft: Draft): Draft | { lost: string } {
  const { durations } = draft.manifest.tensors;
  const graph = wholeGraph(draft);
  if (findVocoder(graph) || !makesNoise(graph)) return draft;
  if (durations === null) return { lost: 'Noise is not seeded: the durations are not found.' };
  const fed = feedNoise(graph, durations);
  return 'lost' in fed ? fed : withGraph(draft, fed.graph, { noise: fed.noise });
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
  const frameNoise = fed.noise.flatMap(({ name, length }) => (length === 'frames' ? [name] : []));
  const stages = split(fed.graph, { durations, frameNoise, latent: vocoder.latent, audio });
  if ('lost' in stages) return stages;
  const tensors = { ...draft.manifest.tensors, latent: vocoder.latent };
  const reach = vocoderReach(stages.at(-1)!.graph, vocoder.latent) + SPARE_FRAMES;
  const manifest = { ...draft.manifest, tensors, noise: fed.noise, vocoderReach: reach };
  return { ...draft, stages, manifest };
}

function withHeightOne(draft: Draft): Draft {
  return opsetOf(draft) < AXES_AS_INPUT ? draft : withGraphs(draft, convolveInHeightOne);
}

function withGelus(draft: Draft): Draft {
  return withGraphs(draft, fuseGelus);
}

function withPadding(draft: Draft): Draft {
  return withGraphs(draft, padInConvolutions);
}

function withLayerNorms(draft: Draft): Draft {
  const opset = opsetOf(draft);
  if (opset < AXES_AS_INPUT || opset >= MEAN_AXES_AS_INPUT) return draft;
  const fused = withGraphs(draft, fuseLayerNorms);
  if (fused === draft) return draft;
  return opset < LAYER_NORM_OPSET ? withOpset(fused, LAYER_NORM_OPSET) : fused;
}

/** The very same draft where no graph has changed. */
function withGraphs(draft: Draft, change: (graph: Graph) => Graph): Draft {
  const stages = draft.stages.map(({ name, graph }) => ({ name, graph: change(graph) }));
  return stages.every(({ graph }, index) => graph === draft.stages[index]!.graph)
    ? draft
    : { ...draft, stages };
}

/** Of ONNX's own operators. */
function opsetOf({ model }: Draft): bigint {
  return model.opsets.find(isOwnOpset)?.version ?? 0n;
}

function withOpset(draft: Draft, version: bigint): Draft {
  const opsets = draft.model.opsets.map((opset) => (isOwnOpset(opset) ? { ...opset, version } : opset));
  return { ...draft, model: { ...draft.model, opsets } };
}

function isOwnOpset({ domain }: OperatorSet): boolean {
  return domain === '' || domain === 'ai.onnx';
}
