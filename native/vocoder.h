#pragma once

#include <vector>

#include "engine.h"
#include "registry.h"
#include "vocoder_plan.h"

namespace lantang {

/** The samples that one window keeps: hop × (keepTo − keepFrom) of them. */
using Piece = std::vector<float>;

/** Runs the vocoder over one run of windows and answers what each of them keeps, in their order. */
std::vector<Piece> runVocoder(Voice& voice, const Utterances& utterances, const VocoderRun& run);

/** Throws inference_failed when the samples hold a NaN or an infinity. */
void requireFinite(const std::vector<float>& samples);

}  // namespace lantang
