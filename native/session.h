#pragma once

#include <onnxruntime_cxx_api.h>

#include <string>

#include "manifest.h"

namespace lantang {

/**
 * Opens one model file on a device; with `captures`, so that CUDA can record its runs. Throws model_not_found,
 * model_invalid, device_unavailable, out_of_memory.
 */
Ort::Session openSession(const std::string& directory, const std::string& file, const Device& device, bool captures);

/** The provider's name as `info` tells it: cpu, cuda or webgpu. */
const char* nameOf(Device::Provider provider);

/** Page-locked memory of the host, which a device reads without a detour; that of a CUDA session's allocator. */
Ort::MemoryInfo pinnedMemory(const Device& device);

/** Memory in which tensors between stages stay. */
Ort::MemoryInfo deviceMemory(const Device& device);

}  // namespace lantang
