#pragma once

#include <onnxruntime_cxx_api.h>

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "manifest.h"

namespace lantang {

/** The named tensors of one pass through the graph. */
using TensorTable = std::map<std::string, Ort::Value>;

/** A voice's stages as open sessions, checked against its manifest. Running a stage is thread-safe. */
class Graph {
 public:
  /** Opens every stage. Throws what openSession throws, and model_invalid where file and manifest disagree. */
  explicit Graph(const LoadRequest& request);

  const Manifest& manifest() const { return manifest_; }
  const Device& device() const { return device_; }
  size_t stages() const { return sessions_.size(); }
  /** Stages before the vocoder: all of them when the graph is not split. */
  size_t stagesBeforeVocoder() const { return manifest_.tensors.latent ? sessions_.size() - 1 : sessions_.size(); }

  /**
   * Runs one stage on the tensors it names and answers its outputs: in host memory what the engine reads, on the
   * device what only a later stage does. Throws inference_failed, out_of_memory, device_lost.
   */
  TensorTable runStage(size_t index, const TensorTable& tensors) const;

  /** The batch under way needs far more memory than usual. The next one gives back what the arenas hold unused. */
  void noteOutsize() const { outsize_.store(true); }

 private:
  std::vector<Ort::Value> run(size_t index, const TensorTable& tensors, const Ort::RunOptions& options) const;
  std::vector<Ort::Value> runAndShrink(size_t index, const TensorTable& tensors) const;
  bool takeOutsize(size_t index) const;
  void requireFlow() const;
  void requireTensors(size_t index) const;

  Manifest manifest_;
  Device device_;
  Ort::MemoryInfo hostMemory_;
  Ort::MemoryInfo deviceMemory_;
  std::set<std::string> readByHost_;
  mutable std::vector<Ort::Session> sessions_;
  mutable std::atomic<bool> outsize_{false};
  mutable std::atomic<bool> canShrink_;
};

}  // namespace lantang
