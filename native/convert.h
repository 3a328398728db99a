#pragma once

#include <napi.h>

#include <string>
#include <vector>

#include "batch.h"
#include "manifest.h"
#include "mastering.h"
#include "runtime.h"
#include "stream.h"

namespace lantang {

/*
 * The border. From JavaScript: every field is read and checked once, into a plain struct; what is wrong is told as
 * invalid_argument by its path ("rows[2].ids[5]: …"). To JavaScript: results are copied into fresh values.
 */

struct RuntimeOptions {
  std::string libraryPath;
  LogLevel logLevel = LogLevel::kSilent;
};

RuntimeOptions runtimeOptionsFrom(const Napi::Value& value);
LoadRequest loadRequestFrom(const Napi::Value& value);
std::vector<Row> rowsFrom(const Napi::Value& value, const Manifest& manifest);
Row rowFrom(const Napi::Value& value, const std::string& path, const Manifest& manifest);
StreamWindows windowsFrom(const Napi::Value& value);
MasteringOptions masteringOptionsFrom(const Napi::Value& value);
/** The samples of a Float32Array, valid as long as the value is. */
std::pair<const float*, size_t> samplesFrom(const Napi::Value& value, const std::string& path);

Napi::Value toJs(Napi::Env env, const std::vector<float>& samples);
/** Bytes, little-endian as every processor is that the runtime is built for. */
Napi::Value toJs(Napi::Env env, const std::vector<int16_t>& pcm);
Napi::Value toJs(Napi::Env env, const std::vector<int32_t>& durations);
Napi::Value toJs(Napi::Env env, const std::vector<RowResult>& results);
Napi::Value toJs(Napi::Env env, const std::vector<std::string>& names);

/** A JavaScript Error with the failure's stable `code`. */
Napi::Error toJs(Napi::Env env, const Failure& failure);

/** Runs `work`; whatever it throws becomes a JavaScript error with a code. Every callback's body goes through here. */
template <typename Work>
Napi::Value guarded(Napi::Env env, Work work) {
  try {
    return work();
  } catch (const Napi::Error&) {
    throw;
  } catch (...) {
    throw toJs(env, currentFailure(Phase::kRun, "The engine failed"));
  }
}

}  // namespace lantang
