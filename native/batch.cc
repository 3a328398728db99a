#include "batch.h"

#include <algorithm>

#include "engine.h"
#include "tensor.h"
#include "vocoder.h"

namespace lantang {
namespace {

/** Each row's samples out of the windows that hold them. */
std::vector<std::vector<float>> vocode(Voice& voice, const Utterances& utterances) {
  const Manifest& manifest = voice.graph().manifest();
  std::vector<std::vector<float>> samples;
  for (const int64_t frames : utterances.frames) samples.emplace_back(frames * manifest.hop);
  const VocoderLimits limits = {manifest.vocoderReach, voice.rowsPerRun(), voice.longestWindow(), voice.buckets()};
  for (const VocoderRun& run : planBatch(utterances.frames, limits)) {
    const std::vector<Piece> pieces = runVocoder(voice, utterances, run);
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Window& window = run.windows[i];
      std::copy(pieces[i].begin(), pieces[i].end(), samples[window.row].begin() + window.keepFrom * manifest.hop);
    }
  }
  return samples;
}

/** Each row's samples out of a whole graph's audio, cut by the durations where there are any. */
std::vector<std::vector<float>> cut(const Voice& voice, const Utterances& utterances, size_t rows) {
  const Manifest& manifest = voice.graph().manifest();
  const Ort::Value& audio = utterances.tensors.at(manifest.tensors.audio);
  const int64_t width = static_cast<int64_t>(audio.GetTensorTypeAndShapeInfo().GetElementCount() / rows);
  const float* base = floatsOf(audio);
  std::vector<std::vector<float>> samples;
  for (size_t row = 0; row < rows; ++row, base += width) {
    const int64_t length = utterances.frames.empty() ? width : utterances.frames[row] * manifest.hop;
    if (length > width || width > longestRow(manifest) * manifest.hop) {
      throw Failure(Code::kInferenceFailed, "The model gave " + std::to_string(width) + " samples where " +
                                                std::to_string(length) + " were expected.");
    }
    samples.emplace_back(base, base + length);
    requireFinite(samples.back());
  }
  return samples;
}

/** A whole run. Throws what fails it. */
std::vector<RowAudio> speak(Voice& voice, const std::vector<Row>& rows) {
  const Utterances utterances = utter(voice.graph(), rows);
  const bool split = voice.graph().manifest().tensors.latent.has_value();
  auto samples = split ? vocode(voice, utterances) : cut(voice, utterances, rows.size());
  std::vector<RowAudio> audio;
  for (size_t row = 0; row < rows.size(); ++row) {
    audio.push_back({std::move(samples[row]), std::nullopt});
    if (!utterances.durations.empty()) audio.back().durations = utterances.durations[row];
  }
  return audio;
}

RowResult speakAlone(Voice& voice, const Row& row) {
  for (;;) {
    try {
      return withSecondTry(row, [&](const Row& tried) { return std::move(speak(voice, {tried}).front()); });
    } catch (...) {
      const Failure failure = currentFailure(Phase::kRun, "Synthesis failed");
      if (failure.code() == Code::kDeviceLost) voice.retire();
      if (failure.code() != Code::kOutOfMemory || !voice.shortenWindows()) return failure;
    }
  }
}

using Results = std::vector<RowResult>;

/** Adds the results of a whole run, if nothing goes wrong with it. */
bool speakTogether(Voice& voice, const std::vector<Row>& rows, Results& results) {
  try {
    for (RowAudio& audio : speak(voice, rows)) results.emplace_back(std::move(audio));
    return true;
  } catch (...) {
    const Failure failure = currentFailure(Phase::kRun, "Synthesis failed");
    voice.countRepeatedRun();
    if (failure.code() == Code::kDeviceLost) voice.retire();
    if (failure.code() == Code::kOutOfMemory) voice.lowerRowsPerRun(static_cast<int64_t>(rows.size() / 2));
    return false;
  }
}

void speakByHalves(Voice& voice, const std::vector<Row>& rows, Results& results) {
  if (voice.retired()) {
    results.insert(results.end(), rows.size(), Failure(Code::kDeviceLost, "The device failed in this batch."));
  } else if (rows.size() == 1) {
    results.push_back(speakAlone(voice, rows.front()));
  } else if (!speakTogether(voice, rows, results)) {
    const auto middle = rows.begin() + rows.size() / 2;
    speakByHalves(voice, {rows.begin(), middle}, results);
    speakByHalves(voice, {middle, rows.end()}, results);
  }
}

}  // namespace

std::vector<RowResult> synthesize(Voice& voice, const std::vector<Row>& rows) {
  voice.growAgain();
  std::vector<RowResult> results;
  while (results.size() < rows.size()) {
    const auto begin = rows.begin() + results.size();
    const auto count = std::min<int64_t>(voice.rowsPerRun(), rows.end() - begin);
    speakByHalves(voice, {begin, begin + count}, results);
  }
  return results;
}

void release(Voice& voice) {
  voice.places().trim();
  voice.graph().shrinkSoon();
  Row shortest;
  shortest.ids = {0};
  // Its samples are nobody's, and whether it has any is of no interest: a run had to end.
  speakAlone(voice, shortest);
}

}  // namespace lantang
