#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lantang {

/** The filter of one pair of rates; made once per process. */
class PolyphaseFilter;

/**
 * Band-limited sample rate conversion of one stream: a Kaiser-windowed sinc, evaluated as a polyphase filter. The
 * passband ends at 0.45 and the stopband (−85 dB) begins at 0.5 of the lower rate. No delay: output n lies at input
 * time n × inputRate ÷ outputRate. The pieces joined do not depend on where the input was cut, to the bit.
 */
class Resampler {
 public:
  /** Rates in Hz, 1 … 768000. Throws invalid_argument when their ratio would need too large a filter. */
  Resampler(int64_t inputRate, int64_t outputRate);

  /** The output that no later input can change. Throws closed after `finish`. */
  std::vector<float> process(const float* samples, size_t count);

  /** The rest; in all exactly round(input × outputRate ÷ inputRate) samples come out. */
  std::vector<float> finish();

 private:
  /** Outputs up to number `end`, as far as the buffered input reaches. */
  std::vector<float> produce(int64_t end);

  std::shared_ptr<const PolyphaseFilter> filter_;
  /** Input from number `bufferStart_` on; it begins with silence before the first sample. */
  std::vector<float> buffer_;
  int64_t bufferStart_;
  int64_t received_ = 0;
  int64_t produced_ = 0;
  bool finished_ = false;
};

}  // namespace lantang
