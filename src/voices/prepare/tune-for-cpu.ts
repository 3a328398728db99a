import { BLOCK, keepActivationsBlocked } from './blocked-activations.js';
import type { Graph } from './onnx/model.js';
import { narrowInPhases, upsampleInPhases } from './phases.js';
import type { Stage } from './split.js';
import { convolveByToomCook } from './toom-cook.js';
import { convolveInWindows } from './windows.js';

/** One rewriting of some stages in height one. */
export interface CpuStep {
  name: string;
  /** Elsewhere tensors are too long for it to win. */
  stages: 'vocoder' | 'before the vocoder';
  apply(stage: Graph, hop: number): Graph;
}

/** In order. Other devices have better kernels of their own for what these avoid. */
export const CPU_STEPS: CpuStep[] = [
  { name: 'vocoder in windows', stages: 'vocoder', apply: convolveInWindows },
  { name: 'activations kept blocked', stages: 'vocoder', apply: keepActivationsBlocked },
  { name: 'upsampling in phases', stages: 'vocoder', apply: upsampleInPhases },
  {
    name: 'last convolution in phases',
    stages: 'vocoder',
    apply: (vocoder, hop) => (hop % BLOCK === 0 ? narrowInPhases(vocoder) : vocoder),
  },
  { name: 'convolutions by Toom and Cook', stages: 'before the vocoder', apply: convolveByToomCook },
];

/** The stages with the step taken; the very same ones where it finds nothing to rewrite. The last is the vocoder. */
export function takeCpuStep(step: CpuStep, stages: Stage[], hop: number): Stage[] {
  const isMeant = (index: number) => (step.stages === 'vocoder') === (index === stages.length - 1);
  const taken = stages.map((stage, index) => {
    if (!isMeant(index)) return stage;
    const graph = step.apply(stage.graph, hop);
    return hasSameNodes(graph, stage.graph) ? stage : { ...stage, graph };
  });
  return taken.every((stage, index) => stage === stages[index]) ? stages : taken;
}

/** Stages in height one, rewritten for ONNX Runtime's CPU kernels, without the steps named in `omit`. */
export function tuneForCpu(stages: Stage[], hop: number, omit: ReadonlySet<string> = new Set()): Stage[] {
  const steps = CPU_STEPS.filter(({ name }) => !omit.has(name));
  return steps.reduce((tuned, step) => takeCpuStep(step, tuned, hop), stages);
}

function hasSameNodes({ nodes }: Graph, other: Graph): boolean {
  return (
    nodes.length === other.nodes.length &&
    nodes.every(({ operator, inputs }, index) => {
      const counterpart = other.nodes[index]!;
      return operator === counterpart.operator && inputs.join() === counterpart.inputs.join();
    })
  );
}
