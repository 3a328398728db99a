import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LantangError } from '../../errors.js';
import type { GraphManifest } from '../manifest.js';
import type { PublishedVoice } from '../piper.js';
import { publishedDraft, type Draft } from './draft.js';
import { readModel } from './onnx/model.js';
import { LOUDNESS_FILE, MANIFEST_FILE } from './prepared-folder.js';
import { STEPS, type Step } from './steps.js';
import type { TrialEngine } from './trial.js';
import { Trials, type Heard } from './trials.js';

/** What preparing gives, as it is kept in the prepared folder. */
export interface Prepared {
  manifest: GraphManifest;
  /** Linear factor to the common loudness. */
  gain: number;
}

/**
 * Amends a voice's graph, hears whether it still speaks like the published one, and leaves it in `directory`, whole or
 * not at all, without the steps named in `omit`. Blocks for seconds.
 *
 * Throws `voice_invalid` where not even the published graph speaks.
 */
export function prepareVoice(
  voice: PublishedVoice,
  directory: string,
  engine: TrialEngine,
  omit: ReadonlySet<string> = new Set(),
): Prepared {
  const published = readDraft(voice);
  const scratch = `${directory}.${process.pid}.partial`;
  try {
    const trials = new Trials(voice, published, scratch, engine);
    const best = trials.tune(trials.halve(amend(published, trials, omit)), omit);
    const manifest = omit.size === 0 ? best.manifest : { ...best.manifest, omitted: [...omit] };
    return keep({ ...best, manifest }, trials.gain(best), directory);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The graph as published. Throws `voice_invalid` where it can't be that of this voice. */
export function readDraft(voice: PublishedVoice): Draft {
  const bytes = readFileSync(voice.modelFile);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const published = publishedDraft(readModel(bytes), voice, sha256);
  requireKnownIds(voice, published.manifest);
  return published;
}

/** The runtime must never be asked for a row that its tables do not have. */
function requireKnownIds(voice: PublishedVoice, manifest: GraphManifest): void {
  for (const [symbol, ids] of voice.text.idMap) {
    const unknown = ids.find((id) => id >= manifest.numSymbols);
    if (unknown === undefined) continue;
    const message = `phoneme_id_map gives "${symbol}" the id ${unknown}, but the graph knows ${manifest.numSymbols}.`;
    throw new LantangError('voice_invalid', message);
  }
  if (voice.numSpeakers > manifest.numSpeakers) {
    const message = `num_speakers is ${voice.numSpeakers}, but the graph knows ${manifest.numSpeakers}.`;
    throw new LantangError('voice_invalid', message);
  }
}

/** All steps at once, as every ordinary voice takes them; where that fails, one by one, leaving out what fails. */
export function amend(published: Draft, trials: Trials, omit: ReadonlySet<string>): Heard {
  const steps = STEPS.filter(({ name }) => !omit.has(name));
  return trials.hear(steps.reduce(take, published)) ?? amendStepwise(published, trials, steps);
}

function amendStepwise(published: Draft, trials: Trials, steps: Step[]): Heard {
  let best = trials.hear(published);
  if (!best) throw new LantangError('voice_invalid', "The voice's graph can't be written back unchanged.");
  let draft = published;
  for (const step of steps) {
    const next = take(draft, step);
    const heard = trials.hear(next);
    draft = heard ? next : without(draft, step);
    best = heard ?? { ...best, manifest: { ...best.manifest, lost: draft.manifest.lost } };
  }
  return best;
}

export function take(draft: Draft, step: Step): Draft {
  const next = step.apply(draft);
  if ('lost' in next) return withManifest(draft, { lost: [...draft.manifest.lost, next.lost] });
  if (next === draft) return draft;
  return withManifest(next, { rewrites: [...draft.manifest.rewrites, step.name] });
}

function without(draft: Draft, { loss }: Step): Draft {
  return loss === undefined ? draft : withManifest(draft, { lost: [...draft.manifest.lost, loss] });
}

function withManifest(draft: Draft, changes: Partial<GraphManifest>): Draft {
  return { ...draft, manifest: { ...draft.manifest, ...changes } };
}

/** Moves the best draft to its final place, together with its description. */
function keep({ directory: from, manifest, difference }: Heard, gain: number, directory: string): Prepared {
  const measured = `largest difference to the published graph ${difference.toExponential(1)}`;
  const complete = { ...manifest, rewrites: [...manifest.rewrites, measured] };
  writeFileSync(join(from, MANIFEST_FILE), `${JSON.stringify(complete, null, 2)}\n`);
  writeFileSync(join(from, LOUDNESS_FILE), `${JSON.stringify({ gain })}\n`);
  mkdirSync(dirname(directory), { recursive: true });
  moveInto(from, directory);
  return { manifest: complete, gain };
}

/** Another process may have prepared the same voice meanwhile: the last one stays, both are the same. */
function moveInto(from: string, directory: string): void {
  for (let attempt = 1; ; attempt++) {
    rmSync(directory, { recursive: true, force: true });
    try {
      renameSync(from, directory);
      return;
    } catch (error) {
      if (attempt === MOVE_ATTEMPTS) throw error;
    }
  }
}

const MOVE_ATTEMPTS = 10;
