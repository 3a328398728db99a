#pragma once

#include <cstdint>
#include <vector>

#include "graph.h"
#include "manifest.h"

namespace lantang {

/**
 * What the stages before the vocoder gave for some rows: how long each one is, and either the latents from which the
 * vocoder makes their samples or, where the graph is not split, the samples themselves, padded to the longest.
 */
struct Utterances {
  TensorTable tensors;
  /** Per row, frames of each of its ids; empty when the graph does not tell them. */
  std::vector<std::vector<int32_t>> durations;
  /** Per row, the sum of the above; empty likewise. */
  std::vector<int64_t> frames;
};

/** Runs everything before the vocoder for rows that fit one run. Throws inference_failed, out_of_memory, … */
Utterances utter(const Graph& graph, const std::vector<Row>& rows);

/** Most frames that a row may have before it is taken for a fault of the model: ten minutes of audio. */
int64_t longestRow(const Manifest& manifest);

}  // namespace lantang
