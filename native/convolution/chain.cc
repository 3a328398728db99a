#include "chain.h"

#include <algorithm>
#include <string>

#include "../errors.h"

namespace lantang {
namespace {

constexpr int64_t kHighestRate = 1 << 16;

int64_t floorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
int64_t ceilDiv(int64_t a, int64_t b) { return -floorDiv(-a, b); }

size_t roundedUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

void require(bool condition, size_t step, const char* expected) {
  if (condition) return;
  throw Failure(Code::kModelInvalid, "Step " + std::to_string(step) + " of a chain of convolutions " + expected + ".");
}

/** Zeros for positions of `range` that lie outside of a tensor of `length` positions. */
void clearOutside(float* values, const Range& range, int64_t length, int64_t channels) {
  const int64_t before = std::clamp<int64_t>(-range.begin, 0, range.length());
  const int64_t behind = std::clamp<int64_t>(range.end - length, 0, range.length());
  std::fill_n(values, before * channels, 0.0f);
  std::fill_n(values + (range.length() - behind) * channels, behind * channels, 0.0f);
}

/** The part of a whole tensor that a range covers. */
void copyInside(const float* whole, const Range& range, int64_t length, int64_t channels, float* target) {
  const int64_t begin = std::clamp<int64_t>(range.begin, 0, length);
  const int64_t end = std::clamp<int64_t>(range.end, begin, length);
  std::copy(whole + begin * channels, whole + end * channels, target + (begin - range.begin) * channels);
}

}  // namespace

void Range::include(const Range& other) {
  if (other.length() <= 0) return;
  *this = length() <= 0 ? other : Range{std::min(begin, other.begin), std::max(end, other.end)};
}

Chain::Chain(std::vector<FilterBank> banks, std::vector<ChainStep> steps)
    : banks_(std::move(banks)), steps_(std::move(steps)) {
  require(!steps_.empty() && steps_.front().bank < banks_.size(), 0, "must be there, with weights");
  tensors_.push_back({static_cast<int64_t>(banks_[steps_.front().bank].inputs()), 1});
  for (const ChainStep& step : steps_) addTensor(step);
  shareSlots();
}

void Chain::addTensor(const ChainStep& step) {
  const size_t index = tensors_.size() - 1;
  require(step.bank < banks_.size() && step.source <= index, index, "must have weights and a source before it");
  const FilterBank& bank = banks_[step.bank];
  const Tensor& source = tensors_[step.source];
  const auto outputs = static_cast<int64_t>(bank.outputs());
  require(source.channels == static_cast<int64_t>(bank.inputs()), index, "must take the channels that its source has");
  require(bank.inputs() % kChannelBlock == 0, index, "must take a multiple of 16 channels");
  require(step.dilation > 0 && step.padding >= 0 && step.phases > 0 && step.cut >= 0, index, "must not go backwards");
  require(outputs % step.phases == 0, index, "must have the same channels in every phase");
  const bool isLast = index + 1 == steps_.size();
  require(outputs % kChannelBlock == 0 || (isLast && step.phases == 1), index, "must make a multiple of 16 channels");
  const Tensor made{outputs / step.phases, source.rate * step.phases};
  require(made.rate <= kHighestRate, index, "must not make more than 65536 positions of one");
  for (const size_t addend : step.addends) {
    if (addend == 0) continue;
    require(addend <= index && tensors_[addend].channels == made.channels && tensors_[addend].rate == made.rate &&
                outputs % kChannelBlock == 0,
            index, "must add what has its own shape");
    tensors_[addend].lastUse = index;
  }
  tensors_[step.source].lastUse = index;
  tensors_.push_back(made);
  scratch_ = std::max(scratch_, roundedUp(bank.scratch(static_cast<size_t>(step.dilation)), AlignedFloats::kSpare));
}

/** A tensor may lie where another has been that no later step reads. */
void Chain::shareSlots() {
  std::vector<size_t> owners;
  for (size_t tensor = 0; tensor < tensors_.size(); ++tensor) {
    const auto isFree = [&](size_t owner) { return tensor > 0 && tensors_[owner].lastUse + 1 < tensor; };
    const auto slot = std::find_if(owners.begin(), owners.end(), isFree);
    tensors_[tensor].slot = static_cast<size_t>(slot - owners.begin());
    if (slot == owners.end()) {
      owners.push_back(tensor);
    } else {
      *slot = tensor;
    }
  }
  slots_ = owners.size();
}

/** What a step makes where `wanted` is wanted: whole tiles, and all phases of a position. */
Range Chain::made(const ChainStep& step, const Range& wanted) const {
  const int64_t unit = static_cast<int64_t>(banks_[step.bank].tile()) * step.dilation;
  const int64_t begin = floorDiv(wanted.begin + step.cut, step.phases);
  const int64_t end = ceilDiv(wanted.end + step.cut, step.phases);
  const int64_t rounded = begin + ceilDiv(end - begin, unit) * unit;
  return {begin * step.phases - step.cut, rounded * step.phases - step.cut};
}

Chain::Plan Chain::plan(const Range& window) const {
  Plan plan;
  plan.window = window;
  plan.ranges.resize(tensors_.size());
  plan.ranges.back() = window;
  for (size_t index = steps_.size(); index-- > 0;) {
    const ChainStep& step = steps_[index];
    const Range range = plan.ranges[index + 1] = made(step, plan.ranges[index + 1]);
    for (const size_t addend : step.addends) {
      if (addend != 0) plan.ranges[addend].include(range);
    }
    const int64_t begin = (range.begin + step.cut) / step.phases - step.padding;
    const int64_t positions = range.length() / step.phases;
    const auto reach = static_cast<int64_t>(banks_[step.bank].taps() - 1) * step.dilation;
    plan.ranges[step.source].include({begin, begin + positions + reach});
  }
  std::vector<size_t> sizes(slots_, 0);
  for (size_t tensor = 0; tensor < tensors_.size(); ++tensor) {
    const auto floats = static_cast<size_t>(plan.ranges[tensor].length() * tensors_[tensor].channels);
    size_t& size = sizes[tensors_[tensor].slot];
    size = std::max(size, roundedUp(floats, AlignedFloats::kSpare));
  }
  plan.floats = scratch_;
  for (const size_t size : sizes) {
    plan.slotOffsets.push_back(plan.floats);
    plan.floats += size;
  }
  return plan;
}

void Chain::run(const Plan& plan, const float* input, int64_t length, float* memory, float* output) const {
  float* source = memory + plan.slotOffsets[tensors_.front().slot];
  copyInside(input, plan.ranges.front(), length, inputChannels(), source);
  clearOutside(source, plan.ranges.front(), length, inputChannels());
  for (size_t index = 0; index < steps_.size(); ++index) runStep(index, plan, length, memory);
  const float* result = memory + plan.slotOffsets[tensors_.back().slot];
  const int64_t skipped = plan.window.begin - plan.ranges.back().begin;
  std::copy_n(result + skipped * outputChannels(), plan.window.length() * outputChannels(), output);
}

void Chain::runStep(size_t index, const Plan& plan, int64_t length, float* memory) const {
  const ChainStep& step = steps_[index];
  const Tensor& tensor = tensors_[index + 1];
  const Range& range = plan.ranges[index + 1];
  const auto at = [&](size_t which, int64_t position) {
    const Tensor& one = tensors_[which];
    return memory + plan.slotOffsets[one.slot] + (position - plan.ranges[which].begin) * one.channels;
  };
  const int64_t first = (range.begin + step.cut) / step.phases;
  FilterBank::Run run{};
  run.source = at(step.source, first - step.padding);
  run.target = at(index + 1, range.begin);
  run.count = static_cast<size_t>(range.length() / step.phases);
  run.dilation = static_cast<size_t>(step.dilation);
  run.slope = step.slope;
  for (size_t i = 0; i < 2; ++i) {
    run.addends[i] = step.addends[i] == 0 ? nullptr : at(step.addends[i], range.begin);
  }
  run.scratch = memory;
  banks_[step.bank].run(run);
  clearOutside(run.target, range, length * tensor.rate, tensor.channels);
}

}  // namespace lantang
