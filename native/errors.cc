#include "errors.h"

#include <onnxruntime_cxx_api.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <new>

namespace lantang {
namespace {

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool containsAny(const std::string& text, std::initializer_list<const char*> needles) {
  return std::any_of(needles.begin(), needles.end(),
                     [&](const char* needle) { return text.find(needle) != std::string::npos; });
}

/*
 * ONNX Runtime reports exhausted memory and device faults under its general codes (FAIL, RUNTIME_EXCEPTION), told
 * apart only by their text. Both lists are matched against the lowered message; memory first, since a failed
 * cudaMalloc reads "CUDA failure 2: out of memory".
 */
bool speaksOfMemory(const std::string& message) {
  return containsAny(message, {"failed to allocate memory", "bad_alloc", "out of memory", "available memory of",
                               "memoryallocation", "allocation failed", "alloc_failed"});
}

bool speaksOfDevice(const std::string& message) {
  return containsAny(message, {"cuda failure", "cuda error", "cudnn failure", "cudnn_status", "cublas failure",
                               "cublas_status", "cufft failure", "device lost", "device is lost"});
}

Code codeWhileLoading(OrtErrorCode status) {
  return status == ORT_NO_SUCHFILE ? Code::kModelNotFound : Code::kModelInvalid;
}

Code codeOf(OrtErrorCode status, const std::string& message, Phase phase) {
  const std::string text = lowered(message);
  if (speaksOfMemory(text)) return Code::kOutOfMemory;
  if (phase == Phase::kOpenDevice) return Code::kDeviceUnavailable;
  if (speaksOfDevice(text)) return phase == Phase::kLoad ? Code::kDeviceUnavailable : Code::kDeviceLost;
  return phase == Phase::kLoad ? codeWhileLoading(status) : Code::kInferenceFailed;
}

/** What follows the last `mark`, or all of it where there is none. */
std::string after(const std::string& text, const std::string& mark) {
  const size_t at = text.rfind(mark);
  return at == std::string::npos ? text : text.substr(at + mark.size());
}

/**
 * The sentence in a message of ONNX Runtime's, which may begin with its source file and function ("….cc:136 f() x was
 * false. "), with statuses ("[ONNXRuntimeError] : 1 : FAIL : "), and run on over lines of stack trace.
 */
std::string reasonIn(const std::string& message) {
  const std::string line = after(message.substr(0, message.find('\n')), " was false. ");
  const std::string status = after(line, "[ONNXRuntimeError] : ");
  if (status == line) return line;
  const size_t code = status.find(" : "), name = status.find(" : ", code + 1);
  return code == std::string::npos || name == std::string::npos ? status : status.substr(name + 3);
}

}  // namespace

const char* nameOf(Code code) {
  switch (code) {
    case Code::kRuntimeNotFound: return "runtime_not_found";
    case Code::kInvalidArgument: return "invalid_argument";
    case Code::kModelNotFound: return "model_not_found";
    case Code::kModelInvalid: return "model_invalid";
    case Code::kDeviceUnavailable: return "device_unavailable";
    case Code::kOutOfMemory: return "out_of_memory";
    case Code::kDeviceLost: return "device_lost";
    case Code::kInferenceFailed: return "inference_failed";
    case Code::kClosed: return "closed";
  }
  return "inference_failed";
}

Failure currentFailure(Phase phase, const std::string& subject) {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const Ort::Exception& error) {
    return Failure(codeOf(error.GetOrtErrorCode(), error.what(), phase), subject + ": " + reasonIn(error.what()));
  } catch (const std::bad_alloc&) {
    return Failure(Code::kOutOfMemory, subject + ": memory ran out.");
  } catch (const std::exception& error) {
    return Failure(codeOf(ORT_FAIL, error.what(), phase), subject + ": " + reasonIn(error.what()));
  } catch (...) {
    return Failure(codeOf(ORT_FAIL, "", phase), subject + ": an unknown failure.");
  }
}

}  // namespace lantang
