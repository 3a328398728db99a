#pragma once

#include <cstddef>
#include <functional>

#include "manifest.h"

namespace lantang {

/** Copies bytes between host and device memory, whichever of the two is where, and returns when they are there. */
using DeviceCopy = std::function<void(void* to, const void* from, size_t bytes)>;

/**
 * The copy for a device. ONNX Runtime copies only what a run is given, not into memory that a captured run will read
 * again. For CUDA it is the CUDA runtime's own, which the provider has opened. Throws device_unavailable.
 */
DeviceCopy deviceCopy(const Device& device);

}  // namespace lantang
