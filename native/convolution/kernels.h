#pragma once

#include <cstddef>

/*
 * What is compiled once for each instruction set. Samples lie as [time, channels], so that both what is multiplied and
 * what is added up are vectors of channels. Nothing here may use the standard library or have inline functions that
 * other files share: compiled for one instruction set, they could be linked into code that runs on every processor.
 */
namespace lantang {

/** Channels come in multiples of this: the widest vector of all instruction sets, float32 of AVX-512. */
constexpr size_t kChannelBlock = 16;

/** Tiles whose products are made together: enough to use a filter's values often, few enough to stay in the cache. */
constexpr size_t kTiles = 24;

/** One filter bank, or a part of its taps, over some tiles. */
struct Filtering {
  /** Of Toom and Cook; points − taps + 1 outputs make a tile. */
  int points;
  int taps;
  /** [time, channels in], from the first tap's input for the first output on. */
  const float* source;
  size_t sourceChannels;
  /** Inputs, and outputs of a tile, are that far apart. */
  size_t dilation;
  /** Runs of outputs, each of tile · dilation. */
  size_t runs;
  /** What is negative in the source counts for that much: LeakyRelu; 1 is none. */
  float slope;
  /** [vectors of outputs, points, channels in, those vectors], by `vectorsAtOnce`. */
  const float* values;
  /** One a channel, or null. */
  const float* bias;
  /** Added to the outputs, [time, channels out], or null. */
  const float* addends[2];
  /** [time, channels out]. */
  float* target;
  size_t targetChannels;
  /** scratchFloats(…), aligned to 64 bytes. */
  float* scratch;
};

/** A filter bank with few outputs, for which vectors of inputs are summed up instead. */
struct Narrowing {
  size_t taps;
  const float* source;
  size_t sourceChannels;
  size_t dilation;
  size_t count;
  float slope;
  /** [channels out, taps, channels in]. */
  const float* weights;
  /** One a channel, or null. */
  const float* bias;
  float* target;
  size_t targetChannels;
  /** narrowScratchFloats(…), aligned to 64 bytes. */
  float* scratch;
};

/** Outputs of a Narrowing whose inputs are activated together. */
constexpr size_t kNarrowBlock = 64;

static constexpr size_t narrowScratchFloats(size_t channels, size_t taps, size_t dilation) {
  return (kNarrowBlock + (taps - 1) * dilation) * channels + kNarrowBlock * kChannelBlock;
}

/** Vectors of outputs that are made at once where so many are left; `most` is Kernels::vectors. */
static constexpr size_t vectorsAtOnce(size_t left, size_t most) { return left >= most ? most : left >= 2 ? 2 : 1; }

static constexpr size_t scratchFloats(int points, size_t sourceChannels) {
  return static_cast<size_t>(points) * kTiles * (sourceChannels + 4 * kChannelBlock);
}

struct Kernels {
  /** As a person calls the instruction set. */
  const char* name;
  /** Float32 values of a vector. */
  size_t width;
  /** Vectors of outputs that are made at once: as many as the registers hold the sums of, 4 or 2. */
  size_t vectors;
  void (*filter)(const Filtering&);
  void (*narrow)(const Narrowing&);
};

extern const Kernels kBaselineKernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;

/** Those of an instruction set, or the fastest where none is named; null where this processor has no such set. */
const Kernels* findKernels(const char* name);

}  // namespace lantang
