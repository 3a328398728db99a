#pragma once

#include <string>

namespace lantang {

/**
 * Opens the CUDA libraries that lie in the folder of ONNX Runtime's library, once per process. The provider names them
 * without a path and looks only where the system does; a library that is already open under the same name is taken
 * instead, so LD_LIBRARY_PATH, which would have to be set before the process starts, is not needed. What is absent is
 * left for the system to find; what cannot be opened is named by the provider's own failure.
 */
void openCudaLibrariesBeside(const std::string& runtimePath);

}  // namespace lantang
