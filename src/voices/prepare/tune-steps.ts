import { rmSync } from 'node:fs';
import type { GraphManifest } from '../manifest.js';
import type { PublishedVoice } from '../piper.js';
import type { Draft } from './draft.js';
import { amend, prepareVoice, readDraft, take, type Prepared } from './prepare.js';
import { STEPS } from './steps.js';
import type { TrialEngine } from './trial.js';
import { Trials, WORTHWHILE, type Heard } from './trials.js';
import { CPU_STEPS, takeCpuStep } from './tune-for-cpu.js';

/** A rewriting of the graph for speed alone, as it was tried on this machine's CPU. */
export interface StepTrial {
  step: string;
  /** How many times as fast with it, beside what was kept before; absent where it does not speak alike. */
  speedup?: number;
  /** Largest difference to the published graph with it. */
  difference?: number;
  kept: boolean;
}

/** Rewritings that lose nothing where they are left out. */
const FASTER_STEPS = STEPS.filter(({ loss }) => loss === undefined);

/**
 * Tries each rewriting for speed by itself, and prepares the voice anew where the folder holds other ones than those
 * that won. Blocks for tens of seconds.
 */
export function tuneSteps(
  voice: PublishedVoice,
  directory: string,
  engine: TrialEngine,
  known: GraphManifest,
): { steps: StepTrial[]; prepared: Prepared | undefined } {
  const steps = trySteps(voice, directory, engine);
  // What does not speak alike is left out anyway.
  const slower = steps.filter(({ speedup, kept }) => speedup !== undefined && !kept);
  const omit = new Set(slower.map(({ step }) => step));
  const isAsKnown =
    omit.size === (known.omitted ?? []).length && (known.omitted ?? []).every((step) => omit.has(step));
  return { steps, prepared: isAsKnown ? undefined : prepareVoice(voice, directory, engine, omit) };
}

function trySteps(voice: PublishedVoice, directory: string, engine: TrialEngine): StepTrial[] {
  const scratch = `${directory}.${process.pid}.steps.partial`;
  try {
    const published = readDraft(voice);
    const trials = new Trials(voice, published, scratch, engine);
    const plain = amend(published, trials, new Set(FASTER_STEPS.map(({ name }) => name)));
    return new StepTrials(trials, plain).all();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** One step after another, each on top of those that won. */
class StepTrials {
  readonly #tried: StepTrial[] = [];

  constructor(
    private readonly trials: Trials,
    private best: Heard,
  ) {}

  all(): StepTrial[] {
    for (const step of FASTER_STEPS) this.#try(step.name, take(this.best.draft, step));
    if (this.best.manifest.tensors.latent === null) return this.#tried;
    for (const step of CPU_STEPS) {
      const { draft } = this.best;
      const stages = takeCpuStep(step, draft.stages);
      this.#try(step.name, stages === draft.stages ? draft : { ...draft, stages });
    }
    return this.#tried;
  }

  /** A step that finds nothing to rewrite is not tried. */
  #try(step: string, draft: Draft): void {
    if (draft === this.best.draft) return;
    const heard = this.trials.hear(draft);
    if (!heard) return void this.#tried.push({ step, kept: false });
    const speedup = this.trials.speedup(heard, this.best);
    const kept = speedup > WORTHWHILE;
    this.#tried.push({ step, speedup, difference: heard.difference, kept });
    if (kept) this.best = heard;
  }
}
