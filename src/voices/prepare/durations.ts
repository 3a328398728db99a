import { makeValueInfo } from './onnx/build.js';
import { DataType, type Graph } from './onnx/model.js';

/**
 * Makes the frames of every id an output.
 *
 * Piper's graphs round durations up with their only `Ceil`; its output is float32 [rows, 1, ids]. A graph that already
 * has an output named `durations` tells them itself.
 */
export function tellDurations(graph: Graph): { graph: Graph; durations: string } | { lost: string } {
  if (graph.outputs.some(({ name }) => name === 'durations')) return { graph, durations: 'durations' };
  const ceils = graph.nodes.filter(({ operator }) => operator === 'Ceil');
  const durations = ceils[0]?.outputs[0];
  if (durations === undefined || ceils.length > 1) {
    return { lost: `Words can't be timed: the durations are not found (${ceils.length} Ceil nodes, not 1).` };
  }
  const output = makeValueInfo(durations, DataType.FLOAT);
  return { graph: { ...graph, outputs: [...graph.outputs, output] }, durations };
}
