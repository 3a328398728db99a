#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lantang {

/** Least of the last `window` values, in constant time each: a queue that only ever holds rising values. */
class SlidingMinimum {
 public:
  explicit SlidingMinimum(size_t window) : values_(window), expiry_(window) {}

  double next(double value);

 private:
  size_t slot(size_t place) const { return (head_ + place) % values_.size(); }

  std::vector<double> values_;
  std::vector<uint64_t> expiry_;
  size_t head_ = 0;
  size_t length_ = 0;
  uint64_t now_ = 0;
};

/** Mean of the last `window` values; those before the first count as 1. Exactly 1 while all of them are. */
class MovingAverage {
 public:
  explicit MovingAverage(size_t window) : values_(window, 1.0), sum_(static_cast<double>(window)), ones_(window) {}

  double next(double value);
  bool isAllOnes() const { return ones_ >= values_.size(); }

 private:
  std::vector<double> values_;
  double sum_;
  size_t at_ = 0;
  /** How many values have been 1 in a row. */
  size_t ones_;
};

/**
 * Constant gain and a look-ahead peak limiter for one stream of mono samples.
 *
 * The gain that each sample needs to stay under the ceiling is held for the look-ahead of 5 ms (sliding minimum), let
 * go exponentially with a time constant of 60 ms, and averaged over the look-ahead. As every value in that average is
 * no greater than what the sample needs, the ceiling holds; as the average is a finite ramp, the gain never jumps.
 * Where no sample exceeds the ceiling the output is gain × input exactly.
 */
class Limiter {
 public:
  /** `gain` and `ceiling` are linear factors, of the input and of full scale. */
  Limiter(int64_t sampleRate, float gain, float ceiling);

  /** Appends the output for the samples so far, but for the look-ahead's last. */
  void process(const float* samples, size_t count, std::vector<float>& output);

  /** Appends the rest; in all as many samples come out as went in. */
  void finish(std::vector<float>& output);

 private:
  /** Nothing that is still in the look-ahead, and no release, changes what comes. */
  bool isAtRest() const { return held_ == 1 && average_.isAllOnes(); }
  void limit(size_t from);
  double nextFactor(float sample);

  const float gain_;
  const float ceiling_;
  const double release_;
  const size_t lookAhead_;
  SlidingMinimum minimum_;
  MovingAverage average_;
  double held_ = 1;
  /** Amplified samples that are not given out yet. */
  std::vector<float> pending_;
};

}  // namespace lantang
