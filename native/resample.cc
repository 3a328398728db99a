#include "resample.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "errors.h"

namespace lantang {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kAttenuation = 85;     // dB
constexpr double kPassbandEdge = 0.45;  // of the lower rate
constexpr double kStopbandEdge = 0.5;
constexpr int kLanes = 16;              // floats that the inner loop sums side by side
constexpr int64_t kMostCoefficients = 8'000'000;

/** Modified Bessel function of the first kind, order 0, by its power series. */
double besselI0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; term > 1e-17 * sum; ++k) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

double sinc(double x) { return x == 0 ? 1 : std::sin(kPi * x) / (kPi * x); }

/** Where an output lies: `phase` ÷ up of an input's distance after input number `at`. */
struct Position {
  int64_t at;
  int64_t phase;
};

/** Floats that are added side by side, whatever the width of the processor's registers. */
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using Half = float __attribute__((vector_size(kLanes / 2 * sizeof(float))));
using Quarter = float __attribute__((vector_size(kLanes / 4 * sizeof(float))));

inline __attribute__((always_inline)) float sumOf(const Lanes& lanes) {
  Half halves[2];
  std::memcpy(halves, &lanes, sizeof halves);
  const Half half = halves[0] + halves[1];
  Quarter quarters[2];
  std::memcpy(quarters, &half, sizeof quarters);
  const Quarter quarter = quarters[0] + quarters[1];
  return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

/**
 * `Count` outputs of one phase: the same coefficients over inputs `step` apart, written `spread` apart. Each load of
 * coefficients serves all of them, for loads, not products, are the limit here.
 */
template <int Count>
inline __attribute__((always_inline)) void filterPhase(const float* coefficients, int64_t taps, const float* input,
                                                       int64_t step, float* output, int64_t spread) {
  Lanes sums[Count] = {};
  for (int64_t tap = 0; tap < taps; tap += kLanes) {
    Lanes coefficient, value;
    std::memcpy(&coefficient, coefficients + tap, sizeof coefficient);
    for (int i = 0; i < Count; ++i) {
      std::memcpy(&value, input + i * step + tap, sizeof value);
      sums[i] += coefficient * value;
    }
  }
  for (int i = 0; i < Count; ++i) output[i * spread] = sumOf(sums[i]);
}

/*
 * This loop is where the time goes: 112 products an output and more. On x86-64 it is compiled once per register width,
 * and the widest that the processor has is chosen when the addon is loaded.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
void convolve(const float* coefficients, int64_t taps, int64_t up, int64_t down, const float* input,
              Position position, float* output, int64_t count) {
  constexpr int kTogether = 4;
  for (int64_t first = 0; first < std::min(up, count); ++first) {
    const float* row = coefficients + position.phase * taps;
    const float* from = input + position.at;
    int64_t i = first;
    for (; i + (kTogether - 1) * up < count; i += kTogether * up, from += kTogether * down) {
      filterPhase<kTogether>(row, taps, from, down, output + i, up);
    }
    for (; i < count; i += up, from += down) filterPhase<1>(row, taps, from, down, output + i, up);
    position.at += (position.phase + down) / up;
    position.phase = (position.phase + down) % up;
  }
}

}  // namespace

/*
 * For the reduced ratio up ÷ down, output n lies at input time n·down ÷ up: `up` different phases of one sinc, each a
 * row of `taps` coefficients over the inputs from `taps/2 − 1` before to `taps/2` after the input it follows.
 */
class PolyphaseFilter {
 public:
  PolyphaseFilter(int64_t up, int64_t down, int64_t taps)
      : up(up), down(down), taps(taps), coefficients_(static_cast<size_t>(up * taps)) {
    for (int64_t phase = 0; phase < up; ++phase) fillPhase(phase);
  }

  const float* phase(int64_t number) const { return coefficients_.data() + number * taps; }

  const int64_t up;
  const int64_t down;
  const int64_t taps;

 private:
  void fillPhase(int64_t phase) {
    // Kaiser and Schafer, "On the use of the I0-sinh window for spectrum analysis", 1980: beta from the attenuation.
    static const double beta = 0.1102 * (kAttenuation - 8.7);
    static const double scale = 1 / besselI0(beta);
    const double cutoff = std::min(1.0, static_cast<double>(up) / down) * (kPassbandEdge + kStopbandEdge);
    const double offset = static_cast<double>(phase) / up;
    std::vector<double> row(taps);
    for (int64_t tap = 0; tap < taps; ++tap) {
      const double distance = tap - (taps / 2 - 1) - offset;
      const double ratio = distance / (taps / 2.0);
      const double window = std::abs(ratio) < 1 ? besselI0(beta * std::sqrt(1 - ratio * ratio)) * scale : 0;
      row[tap] = cutoff * sinc(cutoff * distance) * window;
    }
    // Every phase passes a constant unchanged, so that the phases differ by nothing that would be heard as a tone.
    const double gain = 1 / std::accumulate(row.begin(), row.end(), 0.0);
    std::transform(row.begin(), row.end(), coefficients_.begin() + phase * taps,
                   [gain](double value) { return static_cast<float>(value * gain); });
  }

  std::vector<float> coefficients_;
};

namespace {

/** Kaiser's estimate of the length that the attenuation needs over the transition band, in whole lanes. */
int64_t tapsFor(int64_t up, int64_t down) {
  const double transition = (kStopbandEdge - kPassbandEdge) * std::min(1.0, static_cast<double>(up) / down);
  const double taps = (kAttenuation - 7.95) / (14.36 * transition) + 1;
  return static_cast<int64_t>(std::ceil(taps / kLanes)) * kLanes;
}

std::shared_ptr<const PolyphaseFilter> filterFor(int64_t inputRate, int64_t outputRate) {
  static std::mutex mutex;
  static std::map<std::pair<int64_t, int64_t>, std::shared_ptr<const PolyphaseFilter>> filters;
  const int64_t divisor = std::gcd(inputRate, outputRate);
  const int64_t up = outputRate / divisor, down = inputRate / divisor, taps = tapsFor(up, down);
  if (up * taps > kMostCoefficients) {
    throw Failure(Code::kInvalidArgument, "resampler: the rates " + std::to_string(inputRate) + " and " +
                                              std::to_string(outputRate) + " have no ratio of small whole numbers.");
  }
  const std::lock_guard<std::mutex> lock(mutex);
  auto& filter = filters[{up, down}];
  if (!filter) filter = std::make_shared<const PolyphaseFilter>(up, down, taps);
  return filter;
}

}  // namespace

Resampler::Resampler(int64_t inputRate, int64_t outputRate)
    : filter_(filterFor(inputRate, outputRate)),
      buffer_(static_cast<size_t>(filter_->taps / 2 - 1), 0.0f),
      bufferStart_(-(filter_->taps / 2 - 1)) {}

std::vector<float> Resampler::process(const float* samples, size_t count) {
  if (finished_) throw Failure(Code::kClosed, "resampler: process was called after finish.");
  if (filter_->up == filter_->down) return {samples, samples + count};
  buffer_.insert(buffer_.end(), samples, samples + count);
  received_ += static_cast<int64_t>(count);
  // Output n uses inputs up to floor(n·down ÷ up) + taps/2.
  const int64_t last = received_ - filter_->taps / 2;
  return last <= 0 ? std::vector<float>() : produce((last * filter_->up + filter_->down - 1) / filter_->down);
}

std::vector<float> Resampler::finish() {
  if (finished_) throw Failure(Code::kClosed, "resampler: finish was called twice.");
  finished_ = true;
  if (filter_->up == filter_->down) return {};
  buffer_.insert(buffer_.end(), static_cast<size_t>(filter_->taps), 0.0f);
  return produce((2 * received_ * filter_->up + filter_->down) / (2 * filter_->down));
}

std::vector<float> Resampler::produce(int64_t end) {
  const PolyphaseFilter& filter = *filter_;
  std::vector<float> output(static_cast<size_t>(std::max<int64_t>(0, end - produced_)));
  // The first coefficient meets the input taps/2 − 1 before the one that the output follows.
  const int64_t origin = bufferStart_ + filter.taps / 2 - 1;
  const auto position = [&](int64_t number) {
    const int64_t passed = number * filter.down;
    return Position{passed / filter.up - origin, passed % filter.up};
  };
  convolve(filter.phase(0), filter.taps, filter.up, filter.down, buffer_.data(), position(produced_), output.data(),
           static_cast<int64_t>(output.size()));
  produced_ += static_cast<int64_t>(output.size());
  const int64_t used = std::min(position(produced_).at, static_cast<int64_t>(buffer_.size()));
  buffer_.erase(buffer_.begin(), buffer_.begin() + used);
  bufferStart_ += used;
  return output;
}

}  // namespace lantang
