#include "device_copy.h"

#include <dlfcn.h>

#include <cstring>
#include <string>

#include "errors.h"

namespace lantang {
namespace {

/** cudaMemcpyDefault: the pointers say which of them is on the device. */
constexpr int kByPointers = 4;

using CudaMemcpy = int (*)(void* to, const void* from, size_t bytes, int kind);
using CudaSetDevice = int (*)(int device);

/** The CUDA runtime that the provider uses; null where it is not open. */
void* openedCudaRuntime() {
  for (const char* name : {"libcudart.so.13", "libcudart.so.12"}) {
    if (void* library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) return library;
  }
  return nullptr;
}

void requireSuccess(int status) {
  if (status == 0) return;
  throw Failure(Code::kDeviceLost, "CUDA failure " + std::to_string(status) + " while copying.");
}

DeviceCopy cudaCopy(int deviceId) {
  void* library = openedCudaRuntime();
  if (library == nullptr) throw Failure(Code::kDeviceUnavailable, "libcudart.so is not open in this process.");
  const auto copy = reinterpret_cast<CudaMemcpy>(dlsym(library, "cudaMemcpy"));
  const auto use = reinterpret_cast<CudaSetDevice>(dlsym(library, "cudaSetDevice"));
  if (copy == nullptr || use == nullptr) throw Failure(Code::kDeviceUnavailable, "libcudart.so has no cudaMemcpy.");
  return [copy, use, deviceId](void* to, const void* from, size_t bytes) {
    requireSuccess(use(deviceId));
    requireSuccess(copy(to, from, bytes, kByPointers));
  };
}

}  // namespace

DeviceCopy deviceCopy(const Device& device) {
  switch (device.provider) {
    case Device::Provider::kCuda: return cudaCopy(device.deviceId);
    case Device::Provider::kCpu: return [](void* to, const void* from, size_t bytes) { std::memcpy(to, from, bytes); };
    case Device::Provider::kWebGpu: break;
  }
  throw Failure(Code::kDeviceUnavailable, "Memory of a WebGPU device cannot be copied into.");
}

}  // namespace lantang
