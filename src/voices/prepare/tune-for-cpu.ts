import { keepActivationsBlocked } from './blocked-activations.js';
import type { Graph } from './onnx/model.js';
import { narrowInPhases, upsampleInPhases } from './phases.js';

/** What `narrowInPhases` computes at once. */
const NARROW_BLOCK = 16;

/**
 * A vocoder in height one, rewritten for ONNX Runtime's CPU kernels. Other devices have better ones of their own for
 * what this avoids.
 */
export function tuneForCpu(vocoder: Graph, hop: number): Graph {
  const upsampled = upsampleInPhases(keepActivationsBlocked(vocoder));
  return hop % NARROW_BLOCK === 0 ? narrowInPhases(upsampled) : upsampled;
}
