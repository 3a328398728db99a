#include "filter_bank.h"

#include <algorithm>
#include <cstdint>

#include "toom_cook.h"

namespace lantang {
namespace {

/** How the taps of a filter are shared out: all parts of one make tiles of equal length. */
struct Sharing {
  size_t tile;
  std::vector<int> taps;
};

/** With so many channels it takes as long to read the values as to multiply them: more of them gain nothing. */
constexpr size_t kManyChannels = 192;

/** Measured: the fastest, and of equally fast ones what rounds least. Eight taps and more are fives and threes. */
Sharing shareTaps(size_t taps, size_t inputs) {
  switch (taps) {
    case 1: return {1, {1}};
    case 2: return {5, {2}};
    case 4: return {5, {4}};
    case 7: return {4, {7}};
  }
  if (taps == 5 && inputs >= kManyChannels) return {4, {5}};
  std::vector<int> parts;
  size_t left = taps;
  for (; left % 3 != 0; left -= 5) parts.push_back(5);
  parts.insert(parts.end(), left / 3, 3);
  return {6, parts};
}

/** In the order of the kernels: [vectors of outputs, points, channels in, those vectors]. */
AlignedFloats valuesAtPoints(const float* weights, size_t outputs, size_t inputs, size_t taps, size_t firstTap,
                             int points, int partTaps, const Kernels& kernels) {
  AlignedFloats values(static_cast<size_t>(points) * outputs * inputs);
  float* next = values.data();
  for (size_t first = 0, lanes; first < outputs; first += lanes) {
    lanes = vectorsAtOnce((outputs - first) / kernels.width, kernels.vectors) * kernels.width;
    for (int point = 0; point < points; ++point) {
      double shares[kMostPoints];
      for (int tap = 0; tap < partTaps; ++tap) shares[tap] = shareOfTap(points, point, partTaps, tap);
      for (size_t input = 0; input < inputs; ++input) {
        for (size_t output = first; output < first + lanes; ++output) {
          const float* filter = weights + (output * inputs + input) * taps + firstTap;
          double value = 0;
          for (int tap = 0; tap < partTaps; ++tap) value += shares[tap] * static_cast<double>(filter[tap]);
          *next++ = static_cast<float>(value);
        }
      }
    }
  }
  return values;
}

std::vector<float> channelsLast(const float* weights, size_t outputs, size_t inputs, size_t taps) {
  std::vector<float> turned(outputs * inputs * taps);
  float* next = turned.data();
  for (size_t output = 0; output < outputs; ++output) {
    for (size_t tap = 0; tap < taps; ++tap) {
      for (size_t input = 0; input < inputs; ++input) *next++ = weights[(output * inputs + input) * taps + tap];
    }
  }
  return turned;
}

}  // namespace

float* AlignedFloats::aligned(float* floats) {
  constexpr uintptr_t kLine = 64;
  return reinterpret_cast<float*>((reinterpret_cast<uintptr_t>(floats) + kLine - 1) / kLine * kLine);
}

FilterBank::FilterBank(const Kernels& kernels, const float* weights, const float* bias, size_t outputs, size_t inputs,
                       size_t taps)
    : kernels_(kernels), outputs_(outputs), inputs_(inputs), taps_(taps) {
  if (bias != nullptr) bias_.assign(bias, bias + outputs);
  if (isNarrow()) {
    narrowWeights_ = channelsLast(weights, outputs, inputs, taps);
    return;
  }
  const Sharing sharing = shareTaps(taps, inputs);
  tile_ = sharing.tile;
  size_t firstTap = 0;
  for (const int partTaps : sharing.taps) {
    const int points = static_cast<int>(tile_) + partTaps - 1;
    parts_.push_back({points, partTaps, firstTap,
                      valuesAtPoints(weights, outputs, inputs, taps, firstTap, points, partTaps, kernels)});
    firstTap += static_cast<size_t>(partTaps);
  }
}

size_t FilterBank::scratch(size_t dilation) const {
  if (isNarrow()) return narrowScratchFloats(inputs_, taps_, dilation);
  size_t most = 0;
  for (const Part& part : parts_) most = std::max(most, scratchFloats(part.points, inputs_));
  return most;
}

void FilterBank::run(const Run& run) const {
  if (isNarrow()) return runNarrow(run);
  bool isFirst = true;
  for (const Part& part : parts_) {
    Filtering filtering{};
    filtering.points = part.points;
    filtering.taps = part.taps;
    filtering.source = run.source + part.firstTap * run.dilation * inputs_;
    filtering.sourceChannels = inputs_;
    filtering.dilation = run.dilation;
    filtering.runs = run.count / (tile_ * run.dilation);
    filtering.slope = run.slope;
    filtering.values = part.values.data();
    filtering.target = run.target;
    filtering.targetChannels = outputs_;
    filtering.scratch = run.scratch;
    if (isFirst) {
      filtering.bias = bias_.empty() ? nullptr : bias_.data();
      std::copy(run.addends, run.addends + 2, filtering.addends);
    } else {
      filtering.addends[0] = run.target;
    }
    kernels_.filter(filtering);
    isFirst = false;
  }
}

void FilterBank::runNarrow(const Run& run) const {
  kernels_.narrow({taps_, run.source, inputs_, run.dilation, run.count, run.slope, narrowWeights_.data(),
                   bias_.empty() ? nullptr : bias_.data(), run.target, outputs_, run.scratch});
}

}  // namespace lantang
