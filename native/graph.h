#pragma once

#include <onnxruntime_cxx_api.h>

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "manifest.h"
#include "notes.h"

namespace lantang {

/** The named tensors of one pass through the graph. */
using TensorTable = std::map<std::string, Ort::Value>;

/** Whether capturing runs has failed on this device in this process: it is not tried again. */
bool areGraphsRefused(const Device& device);
void refuseGraphs(const Device& device);

/** A voice's stages as open sessions, checked against its manifest. Running a stage is thread-safe. */
class Graph {
 public:
  /** Opens every stage. Throws what openSession throws, and model_invalid where file and manifest disagree. */
  explicit Graph(const LoadRequest& request);

  const Manifest& manifest() const { return manifest_; }
  const Device& device() const { return device_; }
  /** Where a stage runs: the CPU for those before the vocoder, where that was asked for. */
  const Device& deviceOf(size_t index) const;
  Notes& notes() const { return notes_; }
  size_t stages() const { return sessions_.size(); }
  /** Stages before the vocoder: all of them when the graph is not split. */
  size_t stagesBeforeVocoder() const { return manifest_.tensors.latent ? sessions_.size() - 1 : sessions_.size(); }

  /**
   * Runs one stage on the tensors it names and answers its outputs: in host memory what the engine reads, on the
   * device what only a later stage does. Throws inference_failed, out_of_memory, device_lost.
   */
  TensorTable runStage(size_t index, const TensorTable& tensors) const;

  Ort::Session& vocoder() const { return sessions_.back(); }
  /** Whether the vocoder's runs can be captured and replayed: `VocoderPlace` does it. */
  bool captures() const { return captures_; }
  /** Runs the vocoder on what is bound. Throws as runStage does. */
  void runVocoder(const Ort::IoBinding& binding, const Ort::RunOptions& options) const;
  /** Options for a run of the vocoder by shape: the same number, the same shapes and addresses. 0: not captured. */
  Ort::RunOptions vocoderOptions(int captured) const;

  /** The batch under way needs far more memory than usual. The next one gives back what the arenas hold unused. */
  void shrinkSoon() const;
  /** A captured run will use the vocoder's arena again, at the same addresses. */
  void keepVocoderArena() const;

 private:
  std::vector<Ort::Value> run(size_t index, const TensorTable& tensors, const Ort::RunOptions& options) const;
  void runOnce(size_t index, const Ort::IoBinding& binding, const Ort::RunOptions& options) const;
  Ort::Session openStage(const LoadRequest& request, size_t index);
  bool takeShrink(size_t index) const;
  void requireFlow() const;
  void requireTensors(size_t index) const;

  Manifest manifest_;
  Device device_;
  Device host_;
  Ort::MemoryInfo hostMemory_;
  std::set<std::string> readByHost_;
  bool captures_ = false;
  mutable std::vector<Ort::Session> sessions_;
  mutable Notes notes_;
  /** A bit per stage: those whose next run shrinks its arena, and those whose arenas can be shrunk. */
  mutable std::atomic<uint32_t> shrinking_{0};
  mutable std::atomic<uint32_t> shrinkable_{0};
};

}  // namespace lantang
