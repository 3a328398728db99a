import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LantangError } from '../../errors.js';
import type { GraphManifest, StageFile } from '../manifest.js';
import type { PublishedVoice } from '../piper.js';
import { referenceIds } from '../reference-ids.js';
import { asPublished, writeDraft, type Draft } from './draft.js';
import { inHalfPrecision } from './half-precision.js';
import { gainToTarget } from './loudness.js';
import { writeModel } from './onnx/model.js';
import type { Stage } from './split.js';
import { CPU_STEPS, takeCpuStep, type CpuStep } from './tune-for-cpu.js';
import {
  BATCH_TOLERANCE,
  difference as differenceOf,
  HALF_TOLERANCE,
  speakAlone,
  TOLERANCE,
  withVoice,
} from './trial.js';
import type { TrialAudio, TrialEngine, TrialRow, TrialVoice } from './trial.js';

/** A draft that speaks like the published graph. */
export interface Heard {
  draft: Draft;
  directory: string;
  manifest: GraphManifest;
  /** Largest difference to the published graph. */
  difference: number;
}

/** A smaller gain is as likely to be chance. */
export const WORTHWHILE = 1.01;
const TIMED_ROUNDS = 6;
/** Speakers whose loudness is averaged, at most. */
const MEASURED_SPEAKERS = 8;

/** Compares drafts of one voice with the voice as published. Noise is off: the published graph's can't be repeated. */
export class Trials {
  readonly #rows: TrialRow[];
  readonly #expected: TrialAudio[];
  #count = 0;

  /** Throws `voice_invalid` where the published graph does not speak. */
  constructor(
    private readonly voice: PublishedVoice,
    published: Draft,
    private readonly scratch: string,
    private readonly engine: TrialEngine,
  ) {
    this.#rows = trialRows(voice, published.manifest);
    this.#expected = this.#speakPublished(published);
  }

  #speakPublished(published: Draft): TrialAudio[] {
    const { directory, manifest } = asPublished(published, this.voice.modelFile);
    try {
      return withVoice(this.engine, directory, manifest, (voice) => speakAlone(voice, this.#rows));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new LantangError('voice_invalid', `The voice's graph does not speak: ${reason}`, { cause });
    }
  }

  /** Undefined where the draft fails or differs by more than the tolerance. */
  hear(draft: Draft): Heard | undefined {
    const directory = join(this.scratch, String(++this.#count));
    const manifest = writeDraft(draft, directory);
    try {
      return withVoice(this.engine, directory, manifest, (voice) => {
        const difference = this.#alone(voice);
        const equal =
          difference <= TOLERANCE && (!manifest.batchable || this.#beside(voice) <= BATCH_TOLERANCE);
        return equal ? { draft, directory, manifest, difference } : undefined;
      });
    } catch {
      return undefined;
    }
  }

  #alone(voice: TrialVoice): number {
    return differenceOf(speakAlone(voice, this.#rows), this.#expected);
  }

  /** Rows of different lengths, tempos and speakers in one run of the graph against the same rows alone. */
  #beside(voice: TrialVoice): number {
    const rows = this.#rows.map((row, index) => ({
      ...row,
      lengthScale: row.lengthScale * (1 + 0.3 * index),
    }));
    const together = voice.speak(rows);
    return voice.repeatedRuns() > 0 ? Infinity : differenceOf(together, speakAlone(voice, rows));
  }

  /**
   * Adds stages that are faster on this machine's CPU: where the voice speaks alike with them, and really is faster.
   * Where that fails with all rewritings together, each is tried alone.
   */
  tune(heard: Heard, omit: ReadonlySet<string>): Heard {
    if (heard.manifest.tensors.latent === null) return heard;
    const steps = CPU_STEPS.filter(({ name }) => !omit.has(name));
    for (const choice of [steps, ...steps.map((step) => [step])]) {
      const manifest = this.#tunedBy(choice, heard);
      if (manifest) return { ...heard, manifest };
    }
    return heard;
  }

  #tunedBy(steps: CpuStep[], heard: Heard): GraphManifest | undefined {
    const { draft, directory, manifest } = heard;
    const tuned = steps.reduce((stages, step) => takeCpuStep(step, stages), draft.stages);
    if (tuned === draft.stages) return undefined;
    const cpuStages = this.#offer(heard, 'cpu', tuned, (offered) =>
      this.#isFaster(directory, manifest, offered),
    );
    const rewrites = [...manifest.rewrites, ...steps.map(({ name }) => name)];
    return cpuStages && { ...manifest, cpuStages, rewrites };
  }

  /** Adds a vocoder in half precision, where that does not harm it. Whether to use it is for the operator to say. */
  halve(heard: Heard): Heard {
    const { draft, directory, manifest } = heard;
    const vocoder = draft.stages.at(-1)!;
    const graph = manifest.tensors.latent === null ? undefined : inHalfPrecision(vocoder.graph);
    if (!graph) return heard;
    const halved = [...draft.stages.slice(0, -1), { ...vocoder, graph }];
    const halfStages = this.#offer(heard, 'half', halved, (offered) => this.#isAlike(directory, offered));
    return halfStages ? { ...heard, manifest: { ...manifest, halfStages } } : heard;
  }

  /** Writes stages that differ beside the draft's own, as NAME.KIND.onnx; all stages, or nothing where they do not suit. */
  #offer(
    { draft, directory, manifest }: Heard,
    kind: string,
    others: Stage[],
    suits: (offered: GraphManifest) => boolean,
  ): StageFile[] | undefined {
    const written: string[] = [];
    const stages = others.map(({ name, graph }, index) => {
      const own = manifest.stages[index]!;
      if (graph === draft.stages[index]!.graph) return own;
      const file = `${name}.${kind}.onnx`;
      writeFileSync(join(directory, file), writeModel({ ...draft.model, graph }));
      written.push(file);
      return { ...own, file };
    });
    if (suits({ ...manifest, stages })) return stages;
    for (const file of written) rmSync(join(directory, file));
    return undefined;
  }

  #isAlike(directory: string, manifest: GraphManifest): boolean {
    try {
      return withVoice(this.engine, directory, manifest, (voice) => this.#alone(voice) <= HALF_TOLERANCE);
    } catch {
      return false;
    }
  }

  #isFaster(directory: string, plain: GraphManifest, tuned: GraphManifest): boolean {
    try {
      return withVoice(this.engine, directory, tuned, (candidate) => {
        if (this.#alone(candidate) > TOLERANCE) return false;
        return withVoice(
          this.engine,
          directory,
          plain,
          (voice) => this.#speedup(candidate, voice) > WORTHWHILE,
        );
      });
    } catch {
      return false;
    }
  }

  /** How many times as fast a draft is as another, on one thread of this machine's CPU. */
  speedup(candidate: Heard, other: Heard): number {
    return withVoice(this.engine, candidate.directory, candidate.manifest, (faster) =>
      withVoice(this.engine, other.directory, other.manifest, (slower) => this.#speedup(faster, slower)),
    );
  }

  /** How many times faster, by the shortest of several turns each: other load on the machine only lengthens them. */
  #speedup(candidate: TrialVoice, voice: TrialVoice): number {
    const [row] = this.#rows.slice(-1);
    const shortest = [Infinity, Infinity];
    for (let round = 0; round < TIMED_ROUNDS; round++) {
      [candidate, voice].forEach((one, index) => {
        const before = process.cpuUsage();
        one.speak([row!]);
        const { user, system } = process.cpuUsage(before);
        shortest[index] = Math.min(shortest[index]!, user + system);
      });
    }
    return shortest[1]! / shortest[0]!;
  }

  /** Linear factor to the common loudness, the mean over the speakers, with the voice's own noise. */
  gain({ directory, manifest }: Heard): number {
    const { noiseScale, noiseW } = this.voice.scales;
    const speakers = Math.min(manifest.numSpeakers, MEASURED_SPEAKERS);
    const rows = Array.from({ length: speakers }, (_, speaker) => ({
      ...this.#rows[0]!,
      noiseScale,
      noiseW,
      speaker,
    }));
    const spoken = withVoice(this.engine, directory, manifest, (voice) => speakAlone(voice, rows));
    const logarithms = spoken.map(({ samples }) => Math.log(gainToTarget(samples, manifest.sampleRate)));
    return Math.exp(logarithms.reduce((sum, value) => sum + value, 0) / speakers);
  }
}

/** A sentence by the first speaker and the beginning of one by the last. */
function trialRows(voice: PublishedVoice, manifest: GraphManifest): TrialRow[] {
  const row = (share: number, speaker: number): TrialRow => ({
    ids: referenceIds(voice.text, share),
    lengthScale: voice.scales.lengthScale,
    noiseScale: 0,
    noiseW: 0,
    speaker,
    seed: 1,
  });
  return [row(1, 0), row(0.4, manifest.numSpeakers - 1)];
}
