#pragma once

#include <stdexcept>
#include <string>

namespace lantang {

/** The stable codes of src/inference/binding.ts, which says what each of them means. */
enum class Code {
  kRuntimeNotFound,
  kInvalidArgument,
  kModelNotFound,
  kModelInvalid,
  kDeviceUnavailable,
  kOutOfMemory,
  kDeviceLost,
  kInferenceFailed,
  kClosed,
};

/** The code as JavaScript sees it, in snake case. */
const char* nameOf(Code code);

/** The one exception of this addon: a stable code and a sentence for a person. */
class Failure : public std::runtime_error {
 public:
  Failure(Code code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Code code() const { return code_; }

 private:
  Code code_;
};

/** What the program was doing when the runtime failed: the same status means something else while loading. */
enum class Phase { kLoad, kOpenDevice, kRun };

/**
 * The exception being handled, as a Failure. To be called inside a catch block.
 * `subject` begins the sentence: the file or the stage that failed.
 */
Failure currentFailure(Phase phase, const std::string& subject);

}  // namespace lantang
