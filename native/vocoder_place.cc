#include "vocoder_place.h"

#include <algorithm>
#include <cstring>

#include "errors.h"
#include "session.h"
#include "tensor.h"

namespace lantang {
namespace {

/** Frames of a run, all windows together, beyond which its memory is not kept, and starting it costs nothing beside it. */
constexpr int64_t kMostKept = 16384;

/** Each holds the launches of a whole run: beyond so many shapes they would rather fill memory than save time. */
constexpr size_t kMostNumbers = 128;

constexpr int64_t kFixedWindows[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

/** A window that covers the one row there is: the tensors can go in as they are, without a copy. */
bool isWhole(const VocoderRun& run, const Shape& latent) {
  return run.windows.size() == 1 && latent.at(0) == 1 && run.length == latent.at(2);
}

bool isOnCpu(const Graph& graph) { return graph.device().provider == Device::Provider::kCpu; }

}  // namespace

int64_t fixedWindows(int64_t windows) {
  const auto* found = std::lower_bound(std::begin(kFixedWindows), std::end(kFixedWindows), windows);
  return found == std::end(kFixedWindows) ? windows : *found;
}

VocoderPlace::VocoderPlace(const Graph& graph, const std::vector<int64_t>& buckets)
    : graph_(graph), buckets_(buckets), fixes_(graph.device().graphs && (isOnCpu(graph) || graph.captures())) {
  const Device& device = graph.device();
  if (device.provider != Device::Provider::kCuda || !device.pinned) return;
  try {
    pinned_.emplace(graph.vocoder(), pinnedMemory(device));
  } catch (const Ort::Exception& error) {
    graph.notes().add(std::string("Page-locked memory is not used: ") + error.what());
  }
}

Ort::Value VocoderPlace::run(const TensorTable& tensors, const VocoderRun& run) {
  if (isFixed(run)) {
    if (auto audio = tryFixed(tensors, run)) return std::move(*audio);
  }
  if (!pinned_) return runFreely(tensors, run);
  try {
    return runFreely(tensors, run);
  } catch (const Failure& failure) {
    if (failure.code() != Code::kInferenceFailed) throw;
    unpin();
    Ort::Value audio = runFreely(tensors, run);
    graph_.notes().add(std::string("Page-locked memory is no longer used: ") + failure.what());
    return audio;
  }
}

/** Ordinary memory from now on. */
void VocoderPlace::unpin() {
  host_.clear();
  pinned_.reset();
}

void VocoderPlace::trim() {
  for (auto& [name, buffer] : host_) buffer.release();
}

bool VocoderPlace::fits(const VocoderRun& run, int64_t windows) const { return run.length * windows <= kMostKept; }

/** The first run of a place shows the audio's shape. */
bool VocoderPlace::isFixed(const VocoderRun& run) const {
  const bool isBucket = std::find(buckets_.begin(), buckets_.end(), run.length) != buckets_.end();
  return fixes_ && audioShape_ && isBucket && fits(run, fixedWindows(static_cast<int64_t>(run.windows.size())));
}

Ort::Value VocoderPlace::runFreely(const TensorTable& tensors, const VocoderRun& run) {
  const Manifest& manifest = graph_.manifest();
  const auto windows = static_cast<int64_t>(run.windows.size());
  const bool kept = fits(run, windows);
  Ort::IoBinding binding(graph_.vocoder());
  Inputs cut;
  if (isOnCpu(graph_) && isWhole(run, shapeOf(tensors.at(*manifest.tensors.latent)))) {
    for (const auto& name : manifest.stages.back().inputs) binding.BindInput(name.c_str(), tensors.at(name));
  } else {
    cut = hostInputs(tensors, run, windows, kept);
    for (const auto& [name, tensor] : cut) binding.BindInput(name.c_str(), tensor);
  }
  if (kept && audioShape_) {
    Ort::Value audio = audioTensor(bufferOf(host_, manifest.tensors.audio, hostAllocator()), windows, run.length);
    binding.BindOutput(manifest.tensors.audio.c_str(), audio);
    graph_.runVocoder(binding, graph_.vocoderOptions(0));
    return audio;
  }
  binding.BindOutput(manifest.tensors.audio.c_str(), Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault));
  graph_.runVocoder(binding, graph_.vocoderOptions(0));
  Ort::Value audio = std::move(binding.GetOutputValues().front());
  const Shape shape = shapeOf(audio);
  const bool isUsual = shape.size() >= 2 && shape.front() == windows && shape.back() == run.length * manifest.hop;
  if (isUsual) audioShape_ = shape;
  return audio;
}

/** Where fixing fails for anything but memory it is given up, for this device and as long as the process lives. */
std::optional<Ort::Value> VocoderPlace::tryFixed(const TensorTable& tensors, const VocoderRun& run) {
  try {
    return runFixed(tensors, run);
  } catch (...) {
    const Failure failure = currentFailure(Phase::kRun, "Its memory cannot be had");
    if (failure.code() == Code::kOutOfMemory) throw failure;
    fixes_ = false;
    refuseGraphs(graph_.device());
    graph_.notes().add(std::string("CUDA graphs are no longer used: ") + failure.what());
    return std::nullopt;
  }
}

Ort::Value VocoderPlace::runFixed(const TensorTable& tensors, const VocoderRun& run) {
  const Manifest& manifest = graph_.manifest();
  const int64_t windows = fixedWindows(static_cast<int64_t>(run.windows.size()));
  if (!onDevice_ && !isOnCpu(graph_)) onDevice_.emplace(graph_.vocoder(), deviceMemory(graph_.device()));
  if (!copy_) copy_ = deviceCopy(graph_.device());
  const Inputs host = hostInputs(tensors, run, windows, true);
  Ort::IoBinding binding(graph_.vocoder());
  for (const auto& [name, tensor] : host) {
    Ort::Value fixed = deviceTensor(name, tensor, windows);
    copy_(fixed.GetTensorMutableRawData(), tensor.GetTensorRawData(),
          bytesOf(shapeOf(tensor), tensor.GetTensorTypeAndShapeInfo().GetElementType()));
    binding.BindInput(name.c_str(), fixed);
  }
  const std::string& name = manifest.tensors.audio;
  Ort::Value audio = audioTensor(bufferOf(host_, name, hostAllocator()), windows, run.length);
  Ort::Value fixed = deviceTensor(name, audio, windows);
  binding.BindOutput(name.c_str(), fixed);
  graph_.runVocoder(binding, graph_.vocoderOptions(numberOf(windows, run.length)));
  copy_(audio.GetTensorMutableRawData(), fixed.GetTensorRawData(),
        sizeof(float) * run.windows.size() * run.length * manifest.hop);
  return audio;
}

/** The vocoder's inputs for these windows: the latent cut by frames, all else (a speaker's vector) row by row. */
VocoderPlace::Inputs VocoderPlace::hostInputs(const TensorTable& tensors, const VocoderRun& run, int64_t windows,
                                              bool keep) {
  const Manifest& manifest = graph_.manifest();
  std::vector<Part> parts;
  std::vector<int64_t> rows;
  for (const Window& window : run.windows) {
    parts.push_back({window.row, window.start});
    rows.push_back(window.row);
  }
  Inputs inputs;
  for (const auto& name : manifest.stages.back().inputs) {
    const Ort::Value& whole = tensors.at(name);
    const auto type = whole.GetTensorTypeAndShapeInfo().GetElementType();
    const bool isLatent = name == *manifest.tensors.latent;
    Shape shape = shapeOf(whole);
    shape.at(0) = windows;
    if (isLatent) shape.at(2) = run.length;
    Ort::Value tensor = keep ? bufferOf(host_, name, hostAllocator()).tensor(shape, type) : hostTensor(shape, type);
    const size_t filled = bytesOf(shape, type) / windows * rows.size();
    std::memset(static_cast<char*>(tensor.GetTensorMutableRawData()) + filled, 0, bytesOf(shape, type) - filled);
    if (isLatent) {
      cutParts(whole, parts, run.length, tensor);
    } else {
      gatherRows(whole, rows, tensor);
    }
    inputs.emplace(name, std::move(tensor));
  }
  return inputs;
}

/** As large as any fixed run's from the start: it must not move once a run on it has been captured. */
Ort::Value VocoderPlace::deviceTensor(const std::string& name, const Ort::Value& host, int64_t windows) {
  const auto info = host.GetTensorTypeAndShapeInfo();
  const Shape shape = info.GetShape();
  const bool isFirst = device_.count(name) == 0;
  OrtAllocator* allocator = onDevice_ ? static_cast<OrtAllocator*>(*onDevice_) : static_cast<OrtAllocator*>(plain_);
  Buffer& buffer = bufferOf(device_, name, allocator);
  if (isFirst) {
    const Manifest& manifest = graph_.manifest();
    const bool byFrame = name == *manifest.tensors.latent || name == manifest.tensors.audio;
    const size_t perWindow = bytesOf(shape, info.GetElementType()) / windows;
    const int64_t perFrame = name == manifest.tensors.audio ? manifest.hop : shape.at(1);
    buffer.reserve(byFrame ? sizeof(float) * perFrame * kMostKept : perWindow * *std::rbegin(kFixedWindows));
  }
  return buffer.tensor(shape, info.GetElementType());
}

Ort::Value VocoderPlace::audioTensor(Buffer& buffer, int64_t windows, int64_t length) const {
  Shape shape = *audioShape_;
  shape.front() = windows;
  shape.back() = length * graph_.manifest().hop;
  return buffer.tensor(shape, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
}

OrtAllocator* VocoderPlace::hostAllocator() { return pinned_ ? static_cast<OrtAllocator*>(*pinned_) : plain_; }

Buffer& VocoderPlace::bufferOf(std::map<std::string, Buffer>& buffers, const std::string& name,
                               OrtAllocator* allocator) {
  return buffers.emplace(name, Buffer(allocator)).first->second;
}

/** From 1; 0, which captures nothing, once there are too many. */
int VocoderPlace::numberOf(int64_t windows, int64_t length) {
  const auto known = numbers_.find({windows, length});
  if (known != numbers_.end()) return known->second;
  if (numbers_.size() == kMostNumbers) return 0;
  graph_.keepVocoderArena();
  return numbers_[{windows, length}] = static_cast<int>(numbers_.size()) + 1;
}

VocoderPlaces::Loan VocoderPlaces::lend() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.empty()) return Loan(*this, std::make_unique<VocoderPlace>(graph_, buckets_));
  std::unique_ptr<VocoderPlace> place = std::move(idle_.back());
  idle_.pop_back();
  return Loan(*this, std::move(place));
}

void VocoderPlaces::take(std::unique_ptr<VocoderPlace> place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(place));
}

void VocoderPlaces::trim() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& place : idle_) place->trim();
}

}  // namespace lantang
