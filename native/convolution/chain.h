#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "filter_bank.h"

namespace lantang {

/** Positions begin … end − 1 of a tensor along time; they may lie before its begin or behind its end, as zeros. */
struct Range {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t length() const { return end - begin; }
  void include(const Range& other);
};

/** One convolution of a chain. Tensors are counted from the chain's input, 0; step i makes tensor i + 1. */
struct ChainStep {
  size_t bank;
  size_t source;
  int64_t dilation = 1;
  /** Zeros before the source's first position. */
  int64_t padding = 0;
  /** Positions that each position of the source becomes: so many groups of channels are as many neighbours in time. */
  int64_t phases = 1;
  /** Positions left out at the begin of what has become of the source. */
  int64_t cut = 0;
  /** What is negative in the source counts for that much. */
  float slope = 1;
  /** Tensors that are added to the result; 0 is none. */
  size_t addends[2] = {0, 0};
};

/**
 * Convolutions, each of the results of those before, over the same stretch of time: all of them for one window of the
 * last one's result at a time, so that what passes between them stays in the cache. Every window makes anew what it
 * needs beyond its own ends. Tensors lie as [time, channels].
 */
class Chain {
 public:
  /** Throws Failure model_invalid where the steps do not fit each other. */
  Chain(std::vector<FilterBank> banks, std::vector<ChainStep> steps);

  int64_t inputChannels() const { return tensors_.front().channels; }
  int64_t outputChannels() const { return tensors_.back().channels; }
  /** Positions of the result for each of the input. */
  int64_t rate() const { return tensors_.back().rate; }

  /** What one window needs: where its tensors are, and how much memory they take. */
  struct Plan {
    Range window;
    /** Of every tensor. */
    std::vector<Range> ranges;
    /** Of the memory that tensors take turns in, floats from its begin. */
    std::vector<size_t> slotOffsets;
    size_t floats = 0;
  };
  Plan plan(const Range& window) const;

  /** Makes a window of the result, `output`, [time, channels], out of the whole `input`, of `length` positions. */
  void run(const Plan& plan, const float* input, int64_t length, float* memory, float* output) const;

 private:
  struct Tensor {
    int64_t channels;
    int64_t rate;
    /** The last step that reads it. */
    size_t lastUse = 0;
    size_t slot = 0;
  };

  void addTensor(const ChainStep& step);
  void shareSlots();
  Range made(const ChainStep& step, const Range& wanted) const;
  void runStep(size_t index, const Plan& plan, int64_t length, float* memory) const;

  std::vector<FilterBank> banks_;
  std::vector<ChainStep> steps_;
  std::vector<Tensor> tensors_;
  size_t slots_ = 0;
  size_t scratch_ = 0;
};

}  // namespace lantang
