#include "resample.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "errors.h"

namespace lantang {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kAttenuation = 90;     // dB, with a margin for rounding to float
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

/*
 * The dot product is where the time goes. It sums in kLanes separate chains, which is both what lets the compiler use
 * vector registers without reordering float additions, and what makes the result independent of their width. On
 * x86-64 a version for each register width is compiled and chosen when the addon is loaded.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
float dot(const float* a, const float* b, int64_t count) {
  float lanes[kLanes] = {};
  for (int64_t i = 0; i < count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
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
  std::vector<float> output(static_cast<size_t>(std::max<int64_t>(0, end - produced_)));
  const int64_t reachBack = filter_->taps / 2 - 1;
  int64_t at = produced_ * filter_->down / filter_->up;
  int64_t phase = produced_ * filter_->down % filter_->up;
  for (float& sample : output) {
    sample = dot(filter_->phase(phase), buffer_.data() + (at - reachBack - bufferStart_), filter_->taps);
    phase += filter_->down;
    at += phase / filter_->up;
    phase %= filter_->up;
  }
  produced_ += static_cast<int64_t>(output.size());
  const int64_t used = std::clamp<int64_t>(at - reachBack - bufferStart_, 0, static_cast<int64_t>(buffer_.size()));
  buffer_.erase(buffer_.begin(), buffer_.begin() + used);
  bufferStart_ += used;
  return output;
}

}  // namespace lantang
