#pragma once

#include <cstdint>
#include <vector>

#include "limiter.h"
#include "resample.h"

namespace lantang {

struct MasteringOptions {
  /** Hz. */
  int64_t inputRate;
  int64_t outputRate;
  /** Linear factor for every sample, applied before limiting. */
  float gain;
  /** Linear share of full scale that no sample exceeds before its rate is converted. */
  float ceiling;
};

/**
 * What one stream of mono samples goes through on its way to an encoder: gain, peak limiter, sample rate conversion,
 * 16-bit PCM. One pass here instead of four in JavaScript: there each would leave its copy to the garbage collector,
 * and collecting them held up the event loop longer than all else.
 *
 * No dither: the error of rounding is 98 dB below full scale, under the noise that every neural voice makes itself
 * (about −75 dB in its pauses), so there is no low-level signal left whose distortion dither would hide.
 */
class Mastering {
 public:
  /** Throws invalid_argument for rates that `Resampler` refuses. */
  explicit Mastering(const MasteringOptions& options);

  /** The output that no later input can change. Throws closed after `finish`. */
  std::vector<int16_t> process(const float* samples, size_t count);

  /** The rest; in all exactly round(input × outputRate ÷ inputRate) samples come out. */
  std::vector<int16_t> finish();

 private:
  Limiter limiter_;
  Resampler resampler_;
};

}  // namespace lantang
