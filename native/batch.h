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
 * run fails, its halves are run, and theirs, so that what is wrong with one row is answered for that one only. Where
 * memory runs out, later runs are smaller from the start. After device_lost nothing more is run.
 */
std::vector<RowResult> synthesize(Voice& voice, const std::vector<Row>& rows);

/**
 * Gives back to the system, and to others on the device, what earlier runs have taken and none needs now. Arenas shrink
 * at the end of a run only, so the shortest row is run.
 */
void release(Voice& voice);

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

}  // namespace lantang
