import type { Graph } from './onnx/model.js';
import type { Stage } from './split.js';
import { convolveInWindows } from './windows.js';

/** One rewriting of some stages in height one. */
export interface CpuStep {
  name: string;
  stages: 'vocoder' | 'before the vocoder';
  apply(stage: Graph): Graph;
}

/** In order. Other devices have better kernels of their own for what these avoid. */
export const CPU_STEPS: CpuStep[] = [
  { name: 'vocoder in windows', stages: 'vocoder', apply: convolveInWindows },
  { name: 'wide convolutions in windows', stages: 'before the vocoder', apply: convolveInWindows },
];

/** The stages with the step taken; the very same ones where it finds nothing to rewrite. The last is the vocoder. */
export function takeCpuStep(step: CpuStep, stages: Stage[]): Stage[] {
  const isMeant = (index: number) => (step.stages === 'vocoder') === (index === stages.length - 1);
  const taken = stages.map((stage, index) => {
    if (!isMeant(index)) return stage;
    const graph = step.apply(stage.graph);
    return graph === stage.graph ? stage : { ...stage, graph };
  });
  return taken.every((stage, index) => stage === stages[index]) ? stages : taken;
}
