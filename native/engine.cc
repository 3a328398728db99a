#include "engine.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "errors.h"
#include "noise.h"
#include "tensor.h"

namespace lantang {
namespace {

int64_t mostIds(const std::vector<Row>& rows) {
  size_t most = 0;
  for (const Row& row : rows) most = std::max(most, row.ids.size());
  return static_cast<int64_t>(most);
}

Ort::Value idsOf(const std::vector<Row>& rows, int64_t width) {
  Ort::Value tensor = hostTensor<int64_t>({static_cast<int64_t>(rows.size()), width});
  int64_t* target = tensor.GetTensorMutableData<int64_t>();
  for (const Row& row : rows) {
    std::fill(std::copy(row.ids.begin(), row.ids.end(), target), target + width, 0);
    target += width;
  }
  return tensor;
}

template <typename Read>
Ort::Value perRow(const std::vector<Row>& rows, Read read) {
  Ort::Value tensor = hostTensor<int64_t>({static_cast<int64_t>(rows.size())});
  std::transform(rows.begin(), rows.end(), tensor.GetTensorMutableData<int64_t>(), read);
  return tensor;
}

/** [3, rows, 1, 1], or [3] for the one row that a graph without scales of its own per row takes. */
Ort::Value scalesOf(const std::vector<Row>& rows, bool perRowScales) {
  const int64_t count = static_cast<int64_t>(rows.size());
  Ort::Value tensor = perRowScales ? hostTensor<float>({3, count, 1, 1}) : hostTensor<float>({3});
  float* target = tensor.GetTensorMutableData<float>();
  const int64_t stride = perRowScales ? count : 1;
  for (int64_t i = 0; i < stride; ++i) {
    target[i] = rows[i].noiseScale;
    target[stride + i] = rows[i].lengthScale;
    target[2 * stride + i] = rows[i].noiseW;
  }
  return tensor;
}

TensorTable inputsOf(const Manifest& manifest, const std::vector<Row>& rows) {
  TensorTable table;
  table.emplace(manifest.tensors.ids, idsOf(rows, mostIds(rows)));
  table.emplace(manifest.tensors.lengths, perRow(rows, [](const Row& row) { return row.ids.size(); }));
  table.emplace(manifest.tensors.scales, scalesOf(rows, manifest.perRowScales));
  if (manifest.tensors.speaker) {
    table.emplace(*manifest.tensors.speaker, perRow(rows, [](const Row& row) { return row.speaker; }));
  }
  return table;
}

/** [rows, channels, length]; only a row's own part is filled, for nothing looks beyond it. */
Ort::Value noiseOf(const Manifest& manifest, size_t index, const std::vector<Row>& rows,
                   const std::vector<int64_t>& lengths) {
  const int64_t channels = manifest.noise[index].channels;
  // The graph clamps an empty row to one frame.
  const int64_t width = std::max<int64_t>(1, *std::max_element(lengths.begin(), lengths.end()));
  Ort::Value tensor = hostTensor<float>({static_cast<int64_t>(rows.size()), channels, width});
  float* target = tensor.GetTensorMutableData<float>();
  for (size_t row = 0; row < rows.size(); ++row) {
    for (int64_t channel = 0; channel < channels; ++channel, target += width) {
      fillNormal(rows[row].seed, static_cast<uint32_t>(index), static_cast<uint32_t>(channel), lengths[row], target);
      std::fill(target + lengths[row], target + width, 0.0f);
    }
  }
  return tensor;
}

std::vector<int64_t> idCounts(const std::vector<Row>& rows) {
  std::vector<int64_t> counts;
  for (const Row& row : rows) counts.push_back(static_cast<int64_t>(row.ids.size()));
  return counts;
}

/** Makes the noise that a stage wants and that is not there yet. */
void addNoise(const Manifest& manifest, const Manifest::Stage& stage, const std::vector<Row>& rows,
              Utterances& utterances) {
  for (size_t index = 0; index < manifest.noise.size(); ++index) {
    const auto& noise = manifest.noise[index];
    const bool wanted = std::find(stage.inputs.begin(), stage.inputs.end(), noise.name) != stage.inputs.end();
    if (!wanted || utterances.tensors.count(noise.name) != 0) continue;
    const bool byFrames = noise.length == Manifest::Noise::Length::kFrames;
    if (byFrames && utterances.frames.empty()) {
      throw Failure(Code::kModelInvalid, stage.file + " wants noise per frame before the durations are known.");
    }
    const auto lengths = byFrames ? utterances.frames : idCounts(rows);
    utterances.tensors.emplace(noise.name, noiseOf(manifest, index, rows, lengths));
  }
}

/** One row's durations, float32 as the graph gives them; whatever is no count of frames is the model's failure. */
std::vector<int32_t> durationsOf(const float* values, size_t count, int64_t longest) {
  std::vector<int32_t> durations(count);
  double total = 0;
  for (size_t i = 0; i < count; ++i) {
    total += values[i];
    if (!(values[i] >= 0) || !(total <= static_cast<double>(longest))) {
      throw Failure(Code::kInferenceFailed, "The model gave a duration of " + std::to_string(values[i]) +
                                                " frames, " + std::to_string(total) + " in all; at most " +
                                                std::to_string(longest) + " are credible.");
    }
    durations[i] = static_cast<int32_t>(std::lround(values[i]));
  }
  return durations;
}

/** Reads the durations as soon as a stage has given them: later stages need the noise that is made from them. */
void readDurations(const Manifest& manifest, const std::vector<Row>& rows, Utterances& utterances) {
  const auto& name = manifest.tensors.durations;
  if (!name || !utterances.frames.empty() || utterances.tensors.count(*name) == 0) return;
  const Ort::Value& tensor = utterances.tensors.at(*name);
  const Shape shape = shapeOf(tensor);
  const int64_t width = shape.empty() ? 0 : shape.back();
  const auto elements = static_cast<int64_t>(tensor.GetTensorTypeAndShapeInfo().GetElementCount());
  if (width < mostIds(rows) || elements != width * static_cast<int64_t>(rows.size())) {
    throw Failure(Code::kInferenceFailed, "The model's durations do not have one value per id.");
  }
  const float* values = floatsOf(tensor);
  for (const Row& row : rows) {
    utterances.durations.push_back(durationsOf(values, row.ids.size(), longestRow(manifest)));
    const auto& durations = utterances.durations.back();
    utterances.frames.push_back(std::accumulate(durations.begin(), durations.end(), int64_t{0}));
    values += width;
  }
}

/**
 * Frames of a batch, padding included, beyond which its memory is not kept for the next one: a minute of audio where
 * rows run alone, 64 rows of 24 seconds where batches are full.
 */
int64_t largestUsual(const Device& device) { return device.provider == Device::Provider::kCpu ? 5120 : 131072; }

void noteSize(const Graph& graph, const std::vector<int64_t>& frames) {
  if (frames.empty()) return;
  const int64_t padded = *std::max_element(frames.begin(), frames.end()) * static_cast<int64_t>(frames.size());
  if (padded > largestUsual(graph.device())) graph.shrinkSoon();
}

}  // namespace

Utterances utter(const Graph& graph, const std::vector<Row>& rows) {
  const Manifest& manifest = graph.manifest();
  Utterances utterances;
  utterances.tensors = inputsOf(manifest, rows);
  for (size_t index = 0; index < graph.stagesBeforeVocoder(); ++index) {
    addNoise(manifest, manifest.stages[index], rows, utterances);
    utterances.tensors.merge(graph.runStage(index, utterances.tensors));
    readDurations(manifest, rows, utterances);
  }
  noteSize(graph, utterances.frames);
  return utterances;
}

int64_t longestRow(const Manifest& manifest) {
  constexpr int64_t kSeconds = 600;
  return kSeconds * manifest.sampleRate / manifest.hop;
}

}  // namespace lantang
