#include "session.h"

#include <sys/stat.h>

#include <map>
#include <memory>
#include <vector>

#include "convolution/operator.h"
#include "cuda_libraries.h"
#include "errors.h"
#include "runtime.h"

namespace lantang {
namespace {

using KeyValues = std::map<std::string, std::string>;

/** Protobuf's own limit on a message, and so on a model file; larger ones are no models. */
constexpr int64_t kLargestModel = int64_t{1} << 31;

/** Answers in one sentence what the runtime would answer with a stack trace, or with reading gigabytes. */
void requireModelFile(const std::string& path, const std::string& file) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw Failure(Code::kModelNotFound, file + " does not exist.");
  if (!S_ISREG(status.st_mode)) throw Failure(Code::kModelInvalid, file + " is not a file.");
  if (status.st_size == 0) throw Failure(Code::kModelInvalid, file + " is empty.");
  if (status.st_size < kLargestModel) return;
  throw Failure(Code::kModelInvalid, file + " has " + std::to_string(status.st_size) +
                                         " bytes; an ONNX model has fewer than 2 GiB.");
}

void useSettings(Ort::SessionOptions& options, const Device& device) {
  options.SetGraphOptimizationLevel(ORT_ENABLE_ALL);
  options.SetExecutionMode(ORT_SEQUENTIAL);
  options.SetIntraOpNumThreads(device.provider == Device::Provider::kCpu ? device.intraOpThreads : 1);
  options.SetInterOpNumThreads(1);
  // Every text has its own length: a plan of memory by shape would never be used again.
  options.DisableMemPattern();
  options.AddConfigEntry("session.intra_op.allow_spinning", "0");
  options.AddConfigEntry("session.inter_op.allow_spinning", "0");
  // The arena is shared by all sessions of the process; weights stay out of it, so that it can shrink.
  options.AddConfigEntry("session.use_env_allocators", "1");
  options.AddConfigEntry("session.use_device_allocator_for_initializers", "1");
}

std::string convSearch(const std::string& algorithmSearch) {
  if (algorithmSearch == "exhaustive") return "EXHAUSTIVE";
  if (algorithmSearch == "default") return "DEFAULT";
  return "HEURISTIC";
}

void useCuda(Ort::SessionOptions& options, const Device& device, bool captures) {
  KeyValues settings = {
      {"device_id", std::to_string(device.deviceId)},
      {"cudnn_conv_algo_search", convSearch(device.algorithmSearch)},
      {"cudnn_conv1d_pad_to_nc1d", "1"},
      {"use_tf32", device.tf32 ? "1" : "0"},
      {"arena_extend_strategy", "kSameAsRequested"},
      {"enable_cuda_graph", captures ? "1" : "0"},
  };
  if (device.memoryLimit > 0) settings["gpu_mem_limit"] = std::to_string(device.memoryLimit);
  for (const auto& [key, value] : device.providerOptions) settings[key] = value;
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : settings) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  openCudaLibrariesBeside(Runtime::get().path());
  OrtCUDAProviderOptionsV2* raw = nullptr;
  Ort::ThrowOnError(Ort::GetApi().CreateCUDAProviderOptions(&raw));
  const std::unique_ptr<OrtCUDAProviderOptionsV2, decltype(OrtApi::ReleaseCUDAProviderOptions)> cuda(
      raw, Ort::GetApi().ReleaseCUDAProviderOptions);
  Ort::ThrowOnError(Ort::GetApi().UpdateCUDAProviderOptions(raw, keys.data(), values.data(), keys.size()));
  options.AppendExecutionProvider_CUDA_V2(*raw);
}

/** What the runtime's own words leave out of why a device does not open. */
std::string adviceOn(Device::Provider provider) {
  if (provider != Device::Provider::kWebGpu) return "";
  return ". On Linux WebGPU needs a GPU with a Vulkan driver; what a driver lacks is told on standard error.";
}

void useProvider(Ort::SessionOptions& options, const Device& device, bool captures) {
  const std::string name = nameOf(device.provider);
  try {
    if (device.provider == Device::Provider::kCuda) useCuda(options, device, captures);
    if (device.provider == Device::Provider::kWebGpu) {
      options.AppendExecutionProvider("WebGPU", {{"deviceId", std::to_string(device.deviceId)}});
    }
  } catch (...) {
    const Failure failure = currentFailure(Phase::kOpenDevice, "The " + name + " provider cannot be opened");
    throw Failure(failure.code(), failure.what() + adviceOn(device.provider));
  }
}

/** The runtime's messages name files by their whole path, which is nobody's business beyond this process. */
Failure withoutDirectory(const Failure& failure, const std::string& directory) {
  std::string message = failure.what();
  const std::string prefix = directory + "/";
  for (size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix, at)) {
    message.erase(at, prefix.size());
  }
  return Failure(failure.code(), message);
}

}  // namespace

Ort::Session openSession(const std::string& directory, const std::string& file, const Device& device, bool captures) {
  const std::string path = directory + "/" + file;
  requireModelFile(path, file);
  try {
    Ort::SessionOptions options;
    useSettings(options, device);
    options.Add(operatorDomain());
    useProvider(options, device, captures);
    return Ort::Session(Runtime::get().env(), path.c_str(), options);
  } catch (...) {
    throw withoutDirectory(currentFailure(Phase::kLoad, file + " cannot be loaded"), directory);
  }
}

const char* nameOf(Device::Provider provider) {
  switch (provider) {
    case Device::Provider::kCuda: return "cuda";
    case Device::Provider::kWebGpu: return "webgpu";
    case Device::Provider::kCpu: break;
  }
  return "cpu";
}

Ort::MemoryInfo pinnedMemory(const Device& device) {
  return Ort::MemoryInfo("CudaPinned", OrtDeviceAllocator, device.deviceId, OrtMemTypeCPUOutput);
}

Ort::MemoryInfo deviceMemory(const Device& device) {
  switch (device.provider) {
    case Device::Provider::kCuda:
      return Ort::MemoryInfo("Cuda", OrtDeviceAllocator, device.deviceId, OrtMemTypeDefault);
    case Device::Provider::kWebGpu:
      return Ort::MemoryInfo("WebGPU_Buffer", OrtDeviceAllocator, device.deviceId, OrtMemTypeDefault);
    case Device::Provider::kCpu: break;
  }
  return Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
}

}  // namespace lantang
