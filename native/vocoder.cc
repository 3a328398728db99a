#include "vocoder.h"

#include <algorithm>
#include <cstring>

#include "errors.h"
#include "tensor.h"

namespace lantang {
namespace {

void requireFrames(const Shape& latent, const VocoderRun& run) {
  const bool fits = latent.size() == 3 && std::all_of(run.windows.begin(), run.windows.end(), [&](const Window& window) {
    return window.row < latent[0] && window.start + run.length <= latent[2];
  });
  if (!fits) throw Failure(Code::kInferenceFailed, "The model's latent has fewer frames than its durations add up to.");
}

/** The parts of a run's audio that its windows keep. */
std::vector<Piece> keptPieces(const Ort::Value& audio, const VocoderRun& run, int64_t hop) {
  const int64_t samples = run.length * hop;
  const auto given = static_cast<int64_t>(audio.GetTensorTypeAndShapeInfo().GetElementCount());
  if (given < samples * static_cast<int64_t>(run.windows.size()) || given % samples != 0) {
    throw Failure(Code::kInferenceFailed, "The vocoder gave " + std::to_string(given) + " samples for " +
                                              std::to_string(run.windows.size()) + " × " + std::to_string(run.length) +
                                              " frames of " + std::to_string(hop) + " samples.");
  }
  std::vector<Piece> pieces;
  const float* base = floatsOf(audio);
  for (const Window& window : run.windows) {
    const float* first = base + (window.keepFrom - window.start) * hop;
    pieces.emplace_back(first, first + (window.keepTo - window.keepFrom) * hop);
    requireFinite(pieces.back());
    base += samples;
  }
  return pieces;
}

}  // namespace

std::vector<Piece> runVocoder(Voice& voice, const Utterances& utterances, const VocoderRun& run) {
  const Manifest& manifest = voice.graph().manifest();
  requireFrames(shapeOf(utterances.tensors.at(*manifest.tensors.latent)), run);
  const VocoderPlaces::Loan place = voice.places().lend();
  return keptPieces(place->run(utterances.tensors, run), run, manifest.hop);
}

void requireFinite(const std::vector<float>& samples) {
  // NaNs and infinities are the floats whose exponent bits are all set; no branch, so that it vectorises.
  constexpr uint32_t kExponent = 0x7F800000;
  uint32_t infinite = 0;
  for (const float sample : samples) {
    uint32_t bits;
    std::memcpy(&bits, &sample, sizeof bits);
    infinite |= (bits & kExponent) == kExponent;
  }
  if (infinite != 0) throw Failure(Code::kInferenceFailed, "The model gave samples that are not finite numbers.");
}

}  // namespace lantang
