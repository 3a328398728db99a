#pragma once

#include <onnxruntime_cxx_api.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "buffer.h"
#include "device_copy.h"
#include "graph.h"
#include "vocoder_plan.h"

namespace lantang {

/**
 * The memory that a vocoder's inputs and its audio pass through, kept from one run to the next: page-locked where a
 * device reads and writes it. Runs of few shapes can also be fixed: they always use the same memory of the device, so
 * that CUDA can record what it does for a shape once and replay it. Serves one run at a time.
 */
class VocoderPlace {
 public:
  /** `buckets` are the window lengths of which runs are fixed, where the device is to do that. */
  VocoderPlace(const Graph& graph, const std::vector<int64_t>& buckets);

  /** The audio of a run's windows, or more, one after another. It stays until the next run. */
  Ort::Value run(const TensorTable& tensors, const VocoderRun& run);

  /** Lets go of what nothing depends on. */
  void trim();

 private:
  using Inputs = std::map<std::string, Ort::Value>;

  void unpin();
  bool fits(const VocoderRun& run, int64_t windows) const;
  bool isFixed(const VocoderRun& run) const;
  Ort::Value runFreely(const TensorTable& tensors, const VocoderRun& run);
  Ort::Value runFixed(const TensorTable& tensors, const VocoderRun& run);
  std::optional<Ort::Value> tryFixed(const TensorTable& tensors, const VocoderRun& run);
  Inputs hostInputs(const TensorTable& tensors, const VocoderRun& run, int64_t windows, bool keep);
  Ort::Value deviceTensor(const std::string& name, const Ort::Value& host, int64_t windows);
  Ort::Value audioTensor(Buffer& buffer, int64_t windows, int64_t length) const;
  OrtAllocator* hostAllocator();
  Buffer& bufferOf(std::map<std::string, Buffer>& buffers, const std::string& name, OrtAllocator* allocator);
  int numberOf(int64_t windows, int64_t length);

  const Graph& graph_;
  std::vector<int64_t> buckets_;
  Ort::AllocatorWithDefaultOptions plain_;
  std::optional<Ort::Allocator> pinned_;
  std::optional<Ort::Allocator> onDevice_;
  DeviceCopy copy_;
  bool fixes_;
  std::map<std::string, Buffer> host_;
  std::map<std::string, Buffer> device_;
  /** The shape that the audio had, rows first and samples last; its rank is the exporter's. */
  std::optional<Shape> audioShape_;
  std::map<std::pair<int64_t, int64_t>, int> numbers_;
};

/** Windows that a fixed run has at least as many of: few numbers, each at most half as large again as the one before. */
int64_t fixedWindows(int64_t windows);

/** The places of a voice: as many as it has had runs at the same time. Thread-safe. */
class VocoderPlaces {
 public:
  VocoderPlaces(const Graph& graph, std::vector<int64_t> buckets) : graph_(graph), buckets_(std::move(buckets)) {}

  /** A place for one run; it comes back when the loan ends. */
  class Loan {
   public:
    Loan(VocoderPlaces& places, std::unique_ptr<VocoderPlace> place) : places_(places), place_(std::move(place)) {}
    ~Loan() { places_.take(std::move(place_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    VocoderPlace* operator->() const { return place_.get(); }

   private:
    VocoderPlaces& places_;
    std::unique_ptr<VocoderPlace> place_;
  };

  Loan lend();
  /** Lets go of what nothing depends on, in the places that are not lent. */
  void trim();

 private:
  void take(std::unique_ptr<VocoderPlace> place);

  const Graph& graph_;
  std::vector<int64_t> buckets_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<VocoderPlace>> idle_;
};

}  // namespace lantang
