#include "stream.h"

#include "batch.h"
#include "errors.h"
#include "vocoder.h"

namespace lantang {

Stream::Stream(std::weak_ptr<VoiceUse> use, Row row, StreamWindows windows)
    : use_(std::move(use)), row_(std::move(row)), windows_(windows) {}

std::optional<std::vector<float>> Stream::next() {
  const std::shared_ptr<VoiceUse> use = closed_ ? nullptr : use_.lock();
  if (!use) throw Failure(Code::kClosed, "The stream, or its voice, was closed.");
  try {
    if (!begun_) begin(**use);
    return step(**use);
  } catch (...) {
    close();
    const Failure failure = currentFailure(Phase::kRun, "Synthesis failed");
    if (failure.code() == Code::kDeviceLost) (*use)->retire();
    throw failure;
  }
}

void Stream::begin(Voice& voice) {
  const Manifest& manifest = voice.graph().manifest();
  begun_ = true;
  if (!manifest.tensors.latent) return beginWhole(voice);
  utterances_ = withSecondTry(row_, [&](const Row& row) { return utter(voice.graph(), {row}); });
  durations_ = utterances_->durations.front();
  const int64_t frames = utterances_->frames.front();
  total_ = frames * manifest.hop;
  plan_ = planStream(frames, manifest.vocoderReach, windows_.firstFrames, windows_.windowFrames);
}

/** A graph that cannot be split gives its audio in one piece. */
void Stream::beginWhole(Voice& voice) {
  RowResult result = std::move(synthesize(voice, {row_}).front());
  if (const Failure* failure = std::get_if<Failure>(&result)) throw *failure;
  RowAudio& audio = std::get<RowAudio>(result);
  total_ = static_cast<int64_t>(audio.samples.size());
  durations_ = std::move(audio.durations);
  if (total_ > 0) whole_ = std::move(audio.samples);
}

std::optional<std::vector<float>> Stream::step(Voice& voice) {
  if (whole_) return std::exchange(whole_, std::nullopt);
  if (step_ == plan_.size()) {
    utterances_.reset();
    return std::nullopt;
  }
  return std::move(runVocoder(voice, *utterances_, plan_[step_++]).front());
}

void Stream::close() {
  closed_ = true;
  utterances_.reset();
  whole_.reset();
}

}  // namespace lantang
