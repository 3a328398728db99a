#pragma once

#include <onnxruntime_cxx_api.h>

#include <string>
#include <vector>

namespace lantang {

enum class LogLevel { kSilent, kError, kWarning };

/**
 * ONNX Runtime, opened once per process with dlopen, and its one environment. Its telemetry is off before the
 * library is even opened. Never destroyed: threads may still be running sessions while the process exits.
 */
class Runtime {
 public:
  /** Opens the library, or answers the open one if `path` is the same. Throws runtime_not_found. Thread-safe. */
  static const Runtime& open(const std::string& path, LogLevel logLevel);

  /** The open runtime. Throws invalid_argument when `open` has not been called. */
  static const Runtime& get();

  Ort::Env& env() const { return *env_; }
  const std::string& path() const { return path_; }
  const std::string& version() const { return version_; }
  /** What the library was built with; says nothing about this machine. */
  const std::vector<std::string>& providers() const { return providers_; }

 private:
  Runtime(const std::string& path, LogLevel logLevel);

  std::string path_;
  std::string version_;
  std::vector<std::string> providers_;
  Ort::Env* env_;
};

}  // namespace lantang
