#pragma once

#include <cstdint>
#include <vector>

namespace lantang {

/**
 * How the latents of some rows pass through the vocoder.
 *
 * The vocoder pads with zeros at both edges of its tensor, in each of its layers. At a row's true edges that is what
 * the whole row would see; anywhere else it spoils up to `reach` frames. So a row goes through in windows that begin
 * and end either at the row's own edges or `reach` frames beyond what is kept of them; nothing is ever padded, and
 * the windows of one run are equally long. The kept parts join to exactly what the whole row would have given.
 */
struct Window {
  int64_t row;
  /** First frame of the row that the window sees; it sees `VocoderRun::length` of them. */
  int64_t start;
  /** The frames of the row whose samples are kept: [keepFrom, keepTo). */
  int64_t keepFrom;
  int64_t keepTo;
};

struct VocoderRun {
  int64_t length;
  std::vector<Window> windows;
};

struct VocoderLimits {
  /** Frames to each side that the vocoder looks at. */
  int64_t reach;
  /** Most windows in one run. */
  int64_t windowsPerRun;
  /** Longest window: bounds the memory that a run takes. */
  int64_t longest;
  /** The only lengths that windows may have, but for rows that are shorter than all of them; empty: any. */
  std::vector<int64_t> buckets = {};
};

/** A window must keep something beyond its two margins: this one keeps half of it. */
int64_t shortestWindow(int64_t reach);

/** The runs for a batch: `frames[i]` is row i's length; together they keep every frame of every row once. */
std::vector<VocoderRun> planBatch(const std::vector<int64_t>& frames, const VocoderLimits& limits);

/** The runs for one row whose audio is wanted piece by piece: first `first` frames, then `next` at a time. */
std::vector<VocoderRun> planStream(int64_t frames, int64_t reach, int64_t first, int64_t next);

}  // namespace lantang
