#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine.h"
#include "registry.h"
#include "vocoder_plan.h"

namespace lantang {

struct StreamWindows {
  int64_t firstFrames = 1;
  int64_t windowFrames = 1;
};

/** One row's audio piece by piece: the stages before the vocoder at the first `next`, then a window at a time. */
class Stream {
 public:
  /** The stream ends with its voice: it holds the use weakly. */
  Stream(std::weak_ptr<VoiceUse> use, Row row, StreamWindows windows);

  /** The next samples, or nothing at the end. Throws closed, inference_failed, out_of_memory, device_lost. */
  std::optional<std::vector<float>> next();

  /** Known after the first `next`, if the graph tells them. */
  const std::optional<std::vector<int32_t>>& durations() const { return durations_; }
  /** Samples in all; 0 before the first `next`. */
  int64_t total() const { return total_; }
  void close();

 private:
  void begin(Voice& voice);
  void beginWhole(Voice& voice);
  std::optional<std::vector<float>> step(Voice& voice);

  std::weak_ptr<VoiceUse> use_;
  Row row_;
  StreamWindows windows_;
  bool begun_ = false;
  bool closed_ = false;
  std::optional<Utterances> utterances_;
  std::optional<std::vector<float>> whole_;
  std::vector<VocoderRun> plan_;
  size_t step_ = 0;
  std::optional<std::vector<int32_t>> durations_;
  int64_t total_ = 0;
};

}  // namespace lantang
