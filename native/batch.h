#pragma once

#include <variant>
#include <vector>

#include "errors.h"
#include "manifest.h"
#include "registry.h"

namespace lantang {

/** What a row gives: its audio, or why it alone has none. */
using RowResult = std::variant<RowAudio, Failure>;

/**
 * Synthesizes rows, as many to a run as the voice takes. A row's samples do not depend on the rows beside it. When a
 * run fails, its rows are run again alone, so that what is wrong with one of them is answered for that one only.
 */
std::vector<RowResult> synthesize(Voice& voice, const std::vector<Row>& rows);

/**
 * Runs `attempt(row)`; if the model fails, once more without the duration predictor's noise: its splines fall out of
 * range on rare draws, mostly for short texts ("GatherElements … out of range").
 */
template <typename Attempt>
auto withSecondTry(const Row& row, Attempt attempt) {
  try {
    return attempt(row);
  } catch (const Failure& failure) {
    if (failure.code() != Code::kInferenceFailed || row.noiseW == 0) throw;
  }
  Row still = row;
  still.noiseW = 0;
  return attempt(still);
}

/** Longest vocoder window, about ten seconds of audio: bounds what one run takes, whatever the row's length. */
constexpr int64_t kLongestWindow = 1024;

}  // namespace lantang
