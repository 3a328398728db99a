#pragma once

#include <cstddef>
#include <vector>

#include "kernels.h"

namespace lantang {

/** Floats aligned to a cache line, which is also the widest vector. */
class AlignedFloats {
 public:
  explicit AlignedFloats(size_t count) : floats_(count + kSpare) {}
  // A copy would lie otherwise.
  AlignedFloats(const AlignedFloats&) = delete;
  AlignedFloats(AlignedFloats&&) = default;
  AlignedFloats& operator=(AlignedFloats&&) = default;
  float* data() { return aligned(floats_.data()); }
  const float* data() const { return aligned(const_cast<float*>(floats_.data())); }

  static constexpr size_t kSpare = 64 / sizeof(float);
  static float* aligned(float* floats);

 private:
  std::vector<float> floats_;
};

/** A convolution's weights, in the form in which the kernels want them. */
class FilterBank {
 public:
  /** `weights` are [channels out, channels in, taps]; `bias` has one a channel or is null. */
  FilterBank(const Kernels& kernels, const float* weights, const float* bias, size_t outputs, size_t inputs,
             size_t taps);

  size_t inputs() const { return inputs_; }
  size_t outputs() const { return outputs_; }
  size_t taps() const { return taps_; }
  /** Outputs come in multiples of this many times the dilation. */
  size_t tile() const { return tile_; }
  /** Floats that run() needs besides. */
  size_t scratch(size_t dilation) const;

  struct Run {
    const float* source;
    float* target;
    /** Outputs to make. */
    size_t count;
    size_t dilation;
    float slope;
    const float* addends[2];
    float* scratch;
  };
  void run(const Run& run) const;

 private:
  /** Taps that one transform takes; longer filters are sums of several. */
  struct Part {
    int points;
    int taps;
    size_t firstTap;
    AlignedFloats values;
  };

  bool isNarrow() const { return outputs_ % kChannelBlock != 0; }
  void runNarrow(const Run& run) const;

  const Kernels& kernels_;
  size_t outputs_;
  size_t inputs_;
  size_t taps_;
  size_t tile_ = 1;
  std::vector<Part> parts_;
  /** [channels out, taps, channels in], of a narrow one. */
  std::vector<float> narrowWeights_;
  std::vector<float> bias_;
};

}  // namespace lantang
