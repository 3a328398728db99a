#include "convert.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reader.h"

namespace lantang {
namespace {

constexpr double kMostFrames = 65536;
constexpr double kLargestSafeInteger = 9007199254740991.0;

Manifest::Stage stageFrom(const Reader& stage) {
  Manifest::Stage result{stage.string("file"), stage.strings("inputs"), stage.strings("outputs")};
  // The manifest may come from a cache on disk: it must not lead out of its folder.
  if (result.file.find('/') != std::string::npos) refuse(stage.pathOf("file"), "expected a file name without folders.");
  return result;
}

Manifest::Tensors tensorsFrom(const Reader& tensors) {
  Manifest::Tensors result;
  result.ids = tensors.string("ids");
  result.lengths = tensors.string("lengths");
  result.scales = tensors.string("scales");
  result.speaker = tensors.stringOrNull("speaker");
  result.durations = tensors.stringOrNull("durations");
  result.latent = tensors.stringOrNull("latent");
  result.audio = tensors.string("audio");
  return result;
}

Manifest::Noise noiseFrom(const Reader& noise) {
  Manifest::Noise result;
  result.name = noise.string("name");
  result.channels = noise.integer("channels", 1, 65536);
  const bool byFrames = noise.word("length", {"ids", "frames"}, "") == "frames";
  result.length = byFrames ? Manifest::Noise::Length::kFrames : Manifest::Noise::Length::kIds;
  return result;
}

void requireWhole(const Manifest& manifest, const std::string& path) {
  if (manifest.stages.empty()) refuse(path + ".stages", "expected at least one stage.");
  if (manifest.tensors.latent && !manifest.tensors.durations) {
    refuse(path + ".tensors", "a graph that is split at its latent must tell its durations.");
  }
  if (manifest.tensors.latent && manifest.stages.size() < 2) {
    refuse(path + ".stages", "expected a stage before the vocoder.");
  }
  if (manifest.batchable && !manifest.tensors.durations) {
    refuse(path + ".batchable", "rows of a batch cannot be told apart without durations.");
  }
}

Manifest manifestFrom(const Napi::Value& value, const std::string& path) {
  const Reader reader(value, path);
  Manifest manifest;
  manifest.sourceSha256 = reader.string("sourceSha256");
  manifest.sampleRate = static_cast<int32_t>(reader.integer("sampleRate", 1000, 768000));
  manifest.hop = reader.integer("hop", 1, 65536);
  manifest.numSymbols = reader.integer("numSymbols", 1, std::numeric_limits<int32_t>::max());
  manifest.numSpeakers = reader.integer("numSpeakers", 1, std::numeric_limits<int32_t>::max());
  manifest.maxIds = reader.integer("maxIds", 1, 1 << 20);
  const Napi::Array stages = reader.array("stages"), noise = reader.array("noise");
  for (uint32_t i = 0; i < stages.Length(); ++i) {
    manifest.stages.push_back(stageFrom(Reader(stages.Get(i), indexed(path + ".stages", i))));
  }
  for (uint32_t i = 0; i < noise.Length(); ++i) {
    manifest.noise.push_back(noiseFrom(Reader(noise.Get(i), indexed(path + ".noise", i))));
  }
  manifest.tensors = tensorsFrom(Reader(reader.get("tensors"), path + ".tensors"));
  manifest.perRowScales = reader.boolean("perRowScales");
  manifest.vocoderReach = reader.integer("vocoderReach", 0, 4096);
  manifest.batchable = reader.boolean("batchable");
  requireWhole(manifest, path);
  return manifest;
}

std::map<std::string, std::string> providerOptionsFrom(const Reader& device) {
  const Reader options(device.get("providerOptions"), device.pathOf("providerOptions"));
  std::map<std::string, std::string> result;
  for (const std::string& name : options.names()) result[name] = options.string(name.c_str());
  return result;
}

void readCudaOptions(const Reader& reader, Device& device) {
  device.memoryLimit = reader.integerOr("memoryLimit", 0, kLargestSafeInteger, 0);
  device.algorithmSearch = reader.word("algorithmSearch", {"heuristic", "exhaustive", "default"}, "heuristic");
  device.tf32 = reader.booleanOr("tf32", true);
  device.pinned = reader.booleanOr("pinned", true);
  device.encoderOnCpu = reader.booleanOr("encoderOnCpu", false);
  if (reader.has("providerOptions")) device.providerOptions = providerOptionsFrom(reader);
}

Device deviceFrom(const Napi::Value& value, const std::string& path) {
  const Reader reader(value, path);
  const std::string provider = reader.word("provider", {"cpu", "cuda", "webgpu"}, "");
  Device device;
  if (provider == "cpu") {
    device.intraOpThreads = static_cast<int>(reader.integerOr("intraOpThreads", 1, 1024, 1));
    device.graphs = reader.booleanOr("graphs", false);
    return device;
  }
  device.provider = provider == "cuda" ? Device::Provider::kCuda : Device::Provider::kWebGpu;
  device.deviceId = static_cast<int>(reader.integerOr("deviceId", 0, 1023, 0));
  if (provider == "webgpu") return device;
  device.graphs = reader.booleanOr("graphs", false);
  readCudaOptions(reader, device);
  return device;
}

std::vector<int32_t> idsFrom(const Napi::Value& value, const std::string& path, const Manifest& manifest) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_int32_array) {
    refuse(path, "expected an Int32Array.");
  }
  const auto array = value.As<Napi::Int32Array>();
  const auto length = static_cast<int64_t>(array.ElementLength());
  if (length < 1 || length > manifest.maxIds) {
    refuse(path, "expected 1 to " + std::to_string(manifest.maxIds) + " ids, got " + std::to_string(length) + ".");
  }
  std::vector<int32_t> ids(array.Data(), array.Data() + length);
  // Checked here because the runtime ends the process on an index beyond an embedding's table.
  const auto wrong = std::find_if(ids.begin(), ids.end(), [&](int32_t id) { return id < 0 || id >= manifest.numSymbols; });
  if (wrong == ids.end()) return ids;
  refuse(indexed(path, static_cast<uint32_t>(wrong - ids.begin())),
         "expected an id from 0 to " + std::to_string(manifest.numSymbols - 1) + ", got " + std::to_string(*wrong) + ".");
}

std::vector<int64_t> bucketsFrom(const Reader& request) {
  const Napi::Array array = request.array("buckets");
  std::vector<int64_t> buckets;
  for (uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::Value value = array.Get(i);
    const double frames = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : 0;
    if (!(frames >= 1 && frames <= kMostFrames && frames == std::floor(frames))) {
      refuse(indexed(request.pathOf("buckets"), i), "expected a whole number of frames from 1 to 65536.");
    }
    buckets.push_back(static_cast<int64_t>(frames));
  }
  return buckets;
}

template <typename Array, typename T>
Napi::Value copied(Napi::Env env, const std::vector<T>& values) {
  Array array = Array::New(env, values.size());
  std::copy(values.begin(), values.end(), array.Data());
  return array;
}

}  // namespace

RuntimeOptions runtimeOptionsFrom(const Napi::Value& value) {
  const Reader reader(value, "options");
  const std::string level = reader.word("logLevel", {"silent", "error", "warning"}, "silent");
  const auto logLevel = level == "warning" ? LogLevel::kWarning : level == "error" ? LogLevel::kError : LogLevel::kSilent;
  return {reader.string("libraryPath"), logLevel};
}

LoadRequest loadRequestFrom(const Napi::Value& value) {
  const Reader reader(value, "request");
  constexpr int64_t kUnlimited = 1 << 20;
  LoadRequest request;
  request.directory = reader.string("directory");
  request.manifest = manifestFrom(reader.get("manifest"), "request.manifest");
  request.device = deviceFrom(reader.get("device"), "request.device");
  request.lane = static_cast<int>(reader.integerOr("lane", 0, 65535, 0));
  const bool onCpu = request.device.provider == Device::Provider::kCpu;
  request.rowsPerRun = reader.integerOr("rowsPerRun", 1, kUnlimited, onCpu ? 1 : kUnlimited);
  if (reader.has("buckets")) request.buckets = bucketsFrom(reader);
  constexpr double kDay = 86400;
  if (reader.has("memoryPatience")) request.memoryPatience = reader.number("memoryPatience", 0, kDay);
  return request;
}

Row rowFrom(const Napi::Value& value, const std::string& path, const Manifest& manifest) {
  const Reader reader(value, path);
  Row row;
  row.ids = idsFrom(reader.get("ids"), reader.pathOf("ids"), manifest);
  row.lengthScale = static_cast<float>(reader.number("lengthScale", 1e-3, 10));
  row.noiseScale = static_cast<float>(reader.number("noiseScale", 0, 10));
  row.noiseW = static_cast<float>(reader.number("noiseW", 0, 10));
  if (manifest.tensors.speaker) row.speaker = reader.integer("speaker", 0, static_cast<double>(manifest.numSpeakers - 1));
  row.seed = static_cast<uint64_t>(reader.integer("seed", 0, kLargestSafeInteger));
  return row;
}

std::vector<Row> rowsFrom(const Napi::Value& value, const Manifest& manifest) {
  if (!value.IsArray()) refuse("rows", "expected an array.");
  const auto array = value.As<Napi::Array>();
  if (array.Length() == 0) refuse("rows", "expected at least one row.");
  std::vector<Row> rows;
  for (uint32_t i = 0; i < array.Length(); ++i) rows.push_back(rowFrom(array.Get(i), indexed("rows", i), manifest));
  return rows;
}

StreamWindows windowsFrom(const Napi::Value& value) {
  const Reader reader(value, "windows");
  return {reader.integer("firstFrames", 1, 1 << 20), reader.integer("windowFrames", 1, 1 << 20)};
}

MasteringOptions masteringOptionsFrom(const Napi::Value& value) {
  const Reader reader(value, "options");
  constexpr double kHighestRate = 768000;
  MasteringOptions options{};
  options.inputRate = reader.integer("inputRate", 1, kHighestRate);
  options.outputRate = reader.integer("outputRate", 1, kHighestRate);
  options.gain = static_cast<float>(reader.number("gain", 0, 1e6));
  options.ceiling = static_cast<float>(reader.number("ceiling", 1e-6, 1));
  return options;
}

std::pair<const float*, size_t> samplesFrom(const Napi::Value& value, const std::string& path) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_float32_array) {
    refuse(path, "expected a Float32Array.");
  }
  const auto array = value.As<Napi::Float32Array>();
  return {array.Data(), array.ElementLength()};
}

Napi::Value toJs(Napi::Env env, const std::vector<float>& samples) { return copied<Napi::Float32Array>(env, samples); }

Napi::Value toJs(Napi::Env env, const std::vector<int16_t>& pcm) {
  return Napi::Buffer<uint8_t>::Copy(env, reinterpret_cast<const uint8_t*>(pcm.data()), pcm.size() * sizeof(int16_t));
}

Napi::Value toJs(Napi::Env env, const std::vector<int32_t>& durations) {
  return copied<Napi::Int32Array>(env, durations);
}

Napi::Value toJs(Napi::Env env, const std::vector<RowResult>& results) {
  Napi::Array array = Napi::Array::New(env, results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    Napi::Object row = Napi::Object::New(env);
    if (const auto* audio = std::get_if<RowAudio>(&results[i])) {
      row["samples"] = toJs(env, audio->samples);
      if (audio->durations) row["durations"] = toJs(env, *audio->durations);
    } else {
      const Failure& failure = std::get<Failure>(results[i]);
      Napi::Object error = Napi::Object::New(env);
      error["code"] = Napi::String::New(env, nameOf(failure.code()));
      error["message"] = Napi::String::New(env, failure.what());
      row["error"] = error;
    }
    array[static_cast<uint32_t>(i)] = row;
  }
  return array;
}

Napi::Value toJs(Napi::Env env, const std::vector<std::string>& names) {
  Napi::Array array = Napi::Array::New(env, names.size());
  for (size_t i = 0; i < names.size(); ++i) array[static_cast<uint32_t>(i)] = Napi::String::New(env, names[i]);
  return array;
}

Napi::Error toJs(Napi::Env env, const Failure& failure) {
  Napi::Error error = Napi::Error::New(env, failure.what());
  error.Set("code", Napi::String::New(env, nameOf(failure.code())));
  return error;
}

}  // namespace lantang
