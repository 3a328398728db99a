#include "limiter.h"

#include <algorithm>
#include <cmath>

namespace lantang {
namespace {

/** Seconds that a peak is seen before it comes, over which the gain is brought down. */
constexpr double kLookAhead = 0.005;
/** Seconds in which the gain comes back: long enough not to follow single pitch periods. */
constexpr double kRelease = 0.06;
/** A gain this near to 1 is 1, so that after a peak the signal is again passed exactly. */
constexpr double kUnity = 1 - 1e-5;

size_t windowOf(int64_t sampleRate) {
  return static_cast<size_t>(std::max<long>(1, std::lround(static_cast<double>(sampleRate) * kLookAhead)));
}

float loudest(const float* samples, size_t count) {
  float peak = 0;
  for (size_t i = 0; i < count; ++i) peak = std::max(peak, std::abs(samples[i]));
  return peak;
}

}  // namespace

double SlidingMinimum::next(double value) {
  if (length_ > 0 && expiry_[head_] <= now_) {
    head_ = slot(1);
    --length_;
  }
  while (length_ > 0 && values_[slot(length_ - 1)] >= value) --length_;
  const size_t last = slot(length_++);
  values_[last] = value;
  expiry_[last] = now_++ + values_.size();
  return values_[head_];
}

double MovingAverage::next(double value) {
  sum_ += value - values_[at_];
  values_[at_] = value;
  at_ = (at_ + 1) % values_.size();
  ones_ = value == 1 ? ones_ + 1 : 0;
  // Starting afresh here keeps rounding errors from adding up.
  if (isAllOnes()) sum_ = static_cast<double>(values_.size());
  return sum_ / static_cast<double>(values_.size());
}

Limiter::Limiter(int64_t sampleRate, float gain, float ceiling)
    : gain_(gain),
      ceiling_(ceiling),
      release_(1 - std::exp(-1 / (kRelease * static_cast<double>(sampleRate)))),
      lookAhead_(windowOf(sampleRate) - 1),
      minimum_(lookAhead_ + 1),
      average_(lookAhead_ + 1) {}

void Limiter::process(const float* samples, size_t count, std::vector<float>& output) {
  const size_t before = pending_.size();
  pending_.resize(before + count);
  for (size_t i = 0; i < count; ++i) pending_[before + i] = samples[i] * gain_;
  const size_t ready = pending_.size() - std::min(pending_.size(), lookAhead_);
  // Most speech never reaches the ceiling, and passing it on is all that the rest would come to.
  if (!isAtRest() || !(loudest(pending_.data() + before, count) <= ceiling_)) limit(before);
  output.insert(output.end(), pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(ready));
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(ready));
}

/** Each sample from number `from` on decides the factor of the one a look-ahead before it. */
void Limiter::limit(size_t from) {
  for (size_t i = from; i < pending_.size(); ++i) {
    const double factor = nextFactor(pending_[i]);
    if (i < lookAhead_) continue;
    float& sample = pending_[i - lookAhead_];
    // Rounding of the average and to 32 bits may exceed the ceiling by its last bit.
    sample = std::clamp(static_cast<float>(sample * factor), -ceiling_, ceiling_);
  }
}

double Limiter::nextFactor(float sample) {
  const float magnitude = std::abs(sample);
  const double needed = minimum_.next(magnitude > ceiling_ ? static_cast<double>(ceiling_) / magnitude : 1.0);
  const double risen = held_ + (1 - held_) * release_;
  held_ = std::min(needed, risen > kUnity ? 1.0 : risen);
  return average_.next(held_);
}

void Limiter::finish(std::vector<float>& output) {
  const std::vector<float> silence(lookAhead_, 0.0f);
  process(silence.data(), silence.size(), output);
  pending_.clear();
}

}  // namespace lantang
