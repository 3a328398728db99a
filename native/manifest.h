#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lantang {

/** The plain twin of src/voices/manifest.ts, which explains every field. */
struct Manifest {
  struct Stage {
    std::string file;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
  };
  struct Tensors {
    std::string ids;
    std::string lengths;
    std::string scales;
    std::optional<std::string> speaker;
    std::optional<std::string> durations;
    std::optional<std::string> latent;
    std::string audio;
  };
  struct Noise {
    std::string name;
    int64_t channels = 0;
    enum class Length { kIds, kFrames } length = Length::kIds;
  };

  std::string sourceSha256;
  int32_t sampleRate = 0;
  int64_t hop = 0;
  int64_t numSymbols = 0;
  int64_t numSpeakers = 0;
  int64_t maxIds = 0;
  std::vector<Stage> stages;
  Tensors tensors;
  std::vector<Noise> noise;
  bool perRowScales = false;
  int64_t vocoderReach = 0;
  bool batchable = false;
};

/** Where sessions run: the plain twin of DeviceSpec. */
struct Device {
  enum class Provider { kCpu, kCuda, kWebGpu } provider = Provider::kCpu;
  int deviceId = 0;
  int intraOpThreads = 1;
  /** Bytes; 0 = no limit. */
  int64_t memoryLimit = 0;
  std::string algorithmSearch = "heuristic";
  bool tf32 = true;
  /** Whether what passes between the vocoder and the host does so through page-locked memory. */
  bool pinned = true;
  /** Whether the vocoder's runs of few shapes are captured once and replayed; on a CPU only their shapes are kept few. */
  bool graphs = false;
  /** Whether all stages before the vocoder run on the CPU. */
  bool encoderOnCpu = false;
  /** The provider's own options, over those that are set here. */
  std::map<std::string, std::string> providerOptions;
};

struct LoadRequest {
  std::string directory;
  Manifest manifest;
  Device device;
  int lane = 0;
  /** Most rows that one run of the graph takes. */
  int64_t rowsPerRun = 1;
  /** The only lengths, in frames, that vocoder windows may have, but for shorter rows; empty: any. */
  std::vector<int64_t> buckets;
  /** Seconds for which memory must have sufficed before runs may grow again. */
  double memoryPatience = 60;
};

/** One utterance segment, checked: ids in range, scales finite. */
struct Row {
  std::vector<int32_t> ids;
  float lengthScale = 1;
  float noiseScale = 0;
  float noiseW = 0;
  int64_t speaker = 0;
  uint64_t seed = 0;
};

struct RowAudio {
  std::vector<float> samples;
  std::optional<std::vector<int32_t>> durations;
};

}  // namespace lantang
