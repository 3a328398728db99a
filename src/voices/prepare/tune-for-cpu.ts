import { keepActivationsBlocked } from './blocked-activations.js';
import type { Graph } from './onnx/model.js';
import { narrowInPhases, upsampleInPhases } from './phases.js';

/** What `narrowInPhases` computes at once. */
const NARROW_BLOCK = 16;

/** One rewriting of a vocoder in height one. */
export interface CpuStep {
  name: string;
  apply(vocoder: Graph, hop: number): Graph;
}

/** In order. Other devices have better kernels of their own for what these avoid. */
export const CPU_STEPS: CpuStep[] = [
  { name: 'activations kept blocked', apply: keepActivationsBlocked },
  { name: 'upsampling in phases', apply: upsampleInPhases },
  {
    name: 'last convolution in phases',
    apply: (vocoder, hop) => (hop % NARROW_BLOCK === 0 ? narrowInPhases(vocoder) : vocoder),
  },
];

/** A vocoder in height one, rewritten for ONNX Runtime's CPU kernels, without the steps named in `omit`. */
export function tuneForCpu(vocoder: Graph, hop: number, omit: ReadonlySet<string> = new Set()): Graph {
  const steps = CPU_STEPS.filter(({ name }) => !omit.has(name));
  return steps.reduce((graph, step) => step.apply(graph, hop), vocoder);
}
