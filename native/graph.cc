#include "graph.h"

#include <algorithm>
#include <mutex>

#include "errors.h"
#include "session.h"

namespace lantang {
namespace {

using ElementType = ONNXTensorElementDataType;
constexpr ElementType kFloat = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
constexpr ElementType kInt64 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

[[noreturn]] void disagree(const Manifest::Stage& stage, const std::string& what) {
  throw Failure(Code::kModelInvalid, stage.file + " is not the model that the manifest describes: " + what);
}

/** The tensors that the engine makes, with the type that the graph must take. */
std::map<std::string, ElementType> engineInputs(const Manifest& manifest) {
  const auto& tensors = manifest.tensors;
  std::map<std::string, ElementType> inputs = {
      {tensors.ids, kInt64}, {tensors.lengths, kInt64}, {tensors.scales, kFloat}};
  if (tensors.speaker) inputs[*tensors.speaker] = kInt64;
  for (const auto& noise : manifest.noise) inputs[noise.name] = kFloat;
  return inputs;
}

/** The outputs that the engine reads; all of them must be float. */
std::set<std::string> readOutputs(const Manifest& manifest) {
  const auto& tensors = manifest.tensors;
  std::set<std::string> names = {tensors.audio};
  if (tensors.durations) names.insert(*tensors.durations);
  if (tensors.latent) names.insert(*tensors.latent);
  return names;
}

/** What the host reads: those outputs, and all the vocoder takes, since its windows are cut on the host. */
std::set<std::string> hostTensors(const Manifest& manifest) {
  std::set<std::string> names = readOutputs(manifest);
  if (manifest.tensors.latent) names.insert(manifest.stages.back().inputs.begin(), manifest.stages.back().inputs.end());
  return names;
}

using Names = std::vector<std::string>;
bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Names inputNames(const Ort::Session& session) {
  Ort::AllocatorWithDefaultOptions allocator;
  Names names;
  for (size_t i = 0; i < session.GetInputCount(); ++i) {
    names.emplace_back(session.GetInputNameAllocated(i, allocator).get());
  }
  return names;
}

Names outputNames(const Ort::Session& session) {
  Ort::AllocatorWithDefaultOptions allocator;
  Names names;
  for (size_t i = 0; i < session.GetOutputCount(); ++i) {
    names.emplace_back(session.GetOutputNameAllocated(i, allocator).get());
  }
  return names;
}

ElementType elementType(const Ort::TypeInfo& info) {
  if (info.GetONNXType() != ONNX_TYPE_TENSOR) return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  return info.GetTensorTypeAndShapeInfo().GetElementType();
}

uint32_t bitOf(size_t index) { return uint32_t{1} << index; }

/** Devices on which capturing has failed in this process; it would fail again, and take their sessions with it. */
std::mutex refusedMutex;
std::set<int> refusedDevices;

/** As the runtime names the arena that a device's tensors are in. */
std::string arenaOf(const Device& device) {
  return device.provider == Device::Provider::kCpu ? "cpu:0" : "gpu:" + std::to_string(device.deviceId);
}

}  // namespace

bool areGraphsRefused(const Device& device) {
  const std::lock_guard<std::mutex> lock(refusedMutex);
  return refusedDevices.count(device.deviceId) != 0;
}

void refuseGraphs(const Device& device) {
  if (device.provider != Device::Provider::kCuda) return;
  const std::lock_guard<std::mutex> lock(refusedMutex);
  refusedDevices.insert(device.deviceId);
}

Graph::Graph(const LoadRequest& request)
    : manifest_(request.manifest),
      device_(request.device),
      hostMemory_(Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault)),
      readByHost_(hostTensors(request.manifest)) {
  requireFlow();
  for (size_t index = 0; index < manifest_.stages.size(); ++index) {
    sessions_.push_back(openStage(request, index));
    requireTensors(index);
    if (deviceOf(index).provider != Device::Provider::kWebGpu) shrinkable_ |= bitOf(index);
  }
}

const Device& Graph::deviceOf(size_t index) const {
  const bool isVocoder = manifest_.tensors.latent && index + 1 == manifest_.stages.size();
  return device_.encoderOnCpu && !isVocoder ? host_ : device_;
}

/** A device that does not let its runs be captured runs them all the same. */
Ort::Session Graph::openStage(const LoadRequest& request, size_t index) {
  const Device& device = deviceOf(index);
  const std::string& file = manifest_.stages[index].file;
  const bool isVocoder = manifest_.tensors.latent && index + 1 == manifest_.stages.size();
  const bool wanted = device.graphs && isVocoder && device.provider == Device::Provider::kCuda;
  if (!wanted || areGraphsRefused(device)) return openSession(request.directory, file, device, false);
  try {
    Ort::Session session = openSession(request.directory, file, device, true);
    captures_ = true;
    return session;
  } catch (const Failure& failure) {
    if (failure.code() == Code::kOutOfMemory) throw;
    Ort::Session session = openSession(request.directory, file, device, false);
    refuseGraphs(device);
    notes_.add(std::string("CUDA graphs are not used: ") + failure.what());
    return session;
  }
}

/** Every stage's inputs exist when it runs, and what the engine reads comes out at the end. */
void Graph::requireFlow() const {
  std::set<std::string> known;
  for (const auto& [name, type] : engineInputs(manifest_)) known.insert(name);
  for (const auto& stage : manifest_.stages) {
    for (const auto& name : stage.inputs) {
      if (known.count(name) == 0) disagree(stage, "nothing before it gives its input " + quoted(name) + ".");
    }
    known.insert(stage.outputs.begin(), stage.outputs.end());
  }
  const auto& last = manifest_.stages.back();
  if (!contains(last.outputs, manifest_.tensors.audio)) {
    disagree(last, "the last stage must give the audio, " + quoted(manifest_.tensors.audio) + ".");
  }
  for (const auto& name : readOutputs(manifest_)) {
    if (known.count(name) == 0) disagree(last, "no stage gives " + quoted(name) + ".");
  }
  const auto& latent = manifest_.tensors.latent;
  if (latent && !contains(last.inputs, *latent)) {
    disagree(last, "the last stage must take the latent, " + quoted(*latent) + ".");
  }
}

/** The file has the tensors that the manifest names, of the types that the engine makes and reads, and no others. */
void Graph::requireTensors(size_t index) const {
  const auto& stage = manifest_.stages[index];
  const Ort::Session& session = sessions_[index];
  const Names inputs = inputNames(session), outputs = outputNames(session);
  const auto made = engineInputs(manifest_);
  for (const auto& name : stage.inputs) {
    if (!contains(inputs, name)) disagree(stage, "it has no input " + quoted(name) + ".");
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!contains(stage.inputs, inputs[i])) disagree(stage, "it also wants an input " + quoted(inputs[i]) + ".");
    const auto expected = made.find(inputs[i]);
    if (expected != made.end() && elementType(session.GetInputTypeInfo(i)) != expected->second) {
      disagree(stage, "its input " + quoted(inputs[i]) + " must be " +
                          (expected->second == kInt64 ? "int64." : "float32."));
    }
  }
  const auto read = readOutputs(manifest_);
  for (const auto& name : stage.outputs) {
    const auto at = std::find(outputs.begin(), outputs.end(), name);
    if (at == outputs.end()) disagree(stage, "it has no output " + quoted(name) + ".");
    const auto info = session.GetOutputTypeInfo(at - outputs.begin());
    if (read.count(name) != 0 && elementType(info) != kFloat) {
      disagree(stage, "its output " + quoted(name) + " must be float32.");
    }
  }
}

TensorTable Graph::runStage(size_t index, const TensorTable& tensors) const {
  const auto& stage = manifest_.stages[index];
  try {
    const bool isVocoder = index + 1 == sessions_.size();
    auto values = run(index, tensors, isVocoder ? vocoderOptions(0) : Ort::RunOptions());
    TensorTable outputs;
    for (size_t i = 0; i < values.size(); ++i) outputs.emplace(stage.outputs[i], std::move(values[i]));
    return outputs;
  } catch (...) {
    throw currentFailure(Phase::kRun, stage.file + " failed");
  }
}

std::vector<Ort::Value> Graph::run(size_t index, const TensorTable& tensors, const Ort::RunOptions& options) const {
  const auto& stage = manifest_.stages[index];
  const Ort::MemoryInfo onDevice = deviceMemory(deviceOf(index));
  Ort::IoBinding binding(sessions_[index]);
  for (const auto& name : stage.inputs) binding.BindInput(name.c_str(), tensors.at(name));
  for (const auto& name : stage.outputs) {
    binding.BindOutput(name.c_str(), readByHost_.count(name) != 0 ? hostMemory_ : onDevice);
  }
  runOnce(index, binding, options);
  return binding.GetOutputValues();
}

void Graph::runVocoder(const Ort::IoBinding& binding, const Ort::RunOptions& options) const {
  try {
    runOnce(sessions_.size() - 1, binding, options);
  } catch (...) {
    throw currentFailure(Phase::kRun, manifest_.stages.back().file + " failed");
  }
}

Ort::RunOptions Graph::vocoderOptions(int captured) const {
  constexpr int kNotCaptured = -1;
  Ort::RunOptions options;
  if (captures_) options.AddConfigEntry("gpu_graph_id", std::to_string(captured > 0 ? captured : kNotCaptured).c_str());
  return options;
}

/** A device whose arenas can't be shrunk is not asked again. */
void Graph::runOnce(size_t index, const Ort::IoBinding& binding, const Ort::RunOptions& options) const {
  Ort::Session& session = sessions_[index];
  if (!takeShrink(index)) return session.Run(options, binding);
  try {
    Ort::RunOptions shrinking = index + 1 == sessions_.size() ? vocoderOptions(0) : Ort::RunOptions();
    shrinking.AddConfigEntry("memory.enable_memory_arena_shrinkage", arenaOf(deviceOf(index)).c_str());
    session.Run(shrinking, binding);
  } catch (const Ort::Exception&) {
    shrinkable_ &= ~bitOf(index);
    session.Run(options, binding);
  }
}

/** On a CPU all sessions share one arena, which the first stage of the next batch shrinks; others have one each. */
void Graph::shrinkSoon() const {
  const uint32_t all = device_.provider == Device::Provider::kCpu ? bitOf(0) : bitOf(sessions_.size()) - 1;
  shrinking_ |= all & shrinkable_;
}

void Graph::keepVocoderArena() const { shrinkable_ &= ~bitOf(sessions_.size() - 1); }

/** True once: by the time that the next batch begins nothing of the former is held any more. */
bool Graph::takeShrink(size_t index) const {
  return (shrinking_.fetch_and(~bitOf(index)) & shrinkable_ & bitOf(index)) != 0;
}

}  // namespace lantang
