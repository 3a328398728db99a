#include "runtime.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <atomic>
#include <mutex>

#include "errors.h"

namespace lantang {
namespace {

std::mutex openMutex;
std::atomic<Runtime*> opened{nullptr};

/** Answers the entry point of the library, the only symbol that is looked up by name. */
const OrtApiBase* openLibrary(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw Failure(Code::kRuntimeNotFound,
                  "ONNX Runtime cannot be opened: " + std::string(reason ? reason : path + " is unreadable."));
  }
  using GetApiBase = const OrtApiBase* (*)();
  const auto entry = reinterpret_cast<GetApiBase>(dlsym(library, "OrtGetApiBase"));
  if (entry == nullptr) {
    dlclose(library);
    throw Failure(Code::kRuntimeNotFound, path + " is a library, but not ONNX Runtime: it has no OrtGetApiBase.");
  }
  return entry();
}

const OrtApi* requireApi(const OrtApiBase* base) {
  // A library that is too old prints to stderr and answers null.
  const OrtApi* api = base->GetApi(ORT_API_VERSION);
  if (api != nullptr) return api;
  throw Failure(Code::kRuntimeNotFound, "ONNX Runtime " + std::string(base->GetVersionString()) +
                                            " is too old: version 1." + std::to_string(ORT_API_VERSION) +
                                            " or newer is needed.");
}

OrtLoggingLevel severityOf(LogLevel level) {
  switch (level) {
    case LogLevel::kWarning: return ORT_LOGGING_LEVEL_WARNING;
    case LogLevel::kError: return ORT_LOGGING_LEVEL_ERROR;
    // Errors come back as statuses; logging them too would only repeat them.
    case LogLevel::kSilent: break;
  }
  return ORT_LOGGING_LEVEL_FATAL;
}

/** Sessions share one CPU arena: what one lane has freed another can use, so long texts do not grow every lane. */
void shareCpuArena(Ort::Env& env) {
  const auto cpu = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  constexpr size_t kNoLimit = 0;
  constexpr int kDefault = -1;
  const Ort::ArenaCfg config(kNoLimit, kDefault, kDefault, kDefault);
  env.CreateAndRegisterAllocator(cpu, config);
}

}  // namespace

const Runtime& Runtime::open(const std::string& path, LogLevel logLevel) {
  const std::lock_guard<std::mutex> lock(openMutex);
  Runtime* runtime = opened.load();
  if (runtime == nullptr) {
    runtime = new Runtime(path, logLevel);
    opened.store(runtime);
  } else if (runtime->path_ != path) {
    throw Failure(Code::kInvalidArgument, "openRuntime: this process has already opened another library (" +
                                              runtime->path_ + "); it can hold one.");
  }
  return *runtime;
}

const Runtime& Runtime::get() {
  const Runtime* runtime = opened.load();
  if (runtime != nullptr) return *runtime;
  throw Failure(Code::kInvalidArgument, "openRuntime must be called before a voice is loaded.");
}

Runtime::Runtime(const std::string& path, LogLevel logLevel) : path_(path) {
  // Since 1.29 the official builds send telemetry unless this is set when the environment is created.
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  const OrtApiBase* base = openLibrary(path);
  Ort::InitApi(requireApi(base));
  version_ = base->GetVersionString();
  try {
    env_ = new Ort::Env(severityOf(logLevel), "lantang");
    env_->DisableTelemetryEvents();
    shareCpuArena(*env_);
    providers_ = Ort::GetAvailableProviders();
  } catch (...) {
    throw currentFailure(Phase::kRun, "ONNX Runtime " + version_);
  }
}

}  // namespace lantang
