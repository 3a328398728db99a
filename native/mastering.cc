#include "mastering.h"

namespace lantang {
namespace {

/** Rounded to nearest; what lies outside of [-1, 1] is clamped, NaN is 0. */
int16_t quantised(float sample) {
  const float known = sample == sample ? sample : 0.0f;
  const float scaled = (known > 1 ? 1.0f : known < -1 ? -1.0f : known) * 32767;
  return static_cast<int16_t>(scaled < 0 ? scaled - 0.5f : scaled + 0.5f);
}

void quantise(const std::vector<float>& samples, std::vector<int16_t>& pcm) {
  const size_t before = pcm.size();
  pcm.resize(before + samples.size());
  for (size_t i = 0; i < samples.size(); ++i) pcm[before + i] = quantised(samples[i]);
}

}  // namespace

Mastering::Mastering(const MasteringOptions& options)
    : limiter_(options.inputRate, options.gain, options.ceiling),
      resampler_(options.inputRate, options.outputRate) {}

std::vector<int16_t> Mastering::process(const float* samples, size_t count) {
  std::vector<float> limited;
  limiter_.process(samples, count, limited);
  std::vector<int16_t> pcm;
  quantise(resampler_.process(limited.data(), limited.size()), pcm);
  return pcm;
}

std::vector<int16_t> Mastering::finish() {
  std::vector<float> limited;
  limiter_.finish(limited);
  std::vector<int16_t> pcm;
  quantise(resampler_.process(limited.data(), limited.size()), pcm);
  quantise(resampler_.finish(), pcm);
  return pcm;
}

}  // namespace lantang
