#pragma once

#include <onnxruntime_cxx_api.h>

namespace lantang {

/**
 * Operators of our own, for graphs that were prepared for CPUs, in the domain "lantang":
 *
 * WindowedConvolutions(X, weights or biases …) → Y, version 1: a Chain (chain.h).
 *   X [rows, 1, length, channels], Y [rows, 1, length · rate, channels out]: float32, channels last, height one.
 *   weights: constants [channels out, channels in, 1, taps]; biases: constants [channels out].
 *   steps (ints): nine for each step: input with the weights, input with the biases or 0, source, dilation, padding,
 *     phases, cut, two addends: tensors as ChainStep counts them.
 *   slopes (floats): one for each step.
 *   window (int): positions of Y that are made at a time.
 *   instructions (string, optional): baseline, avx2 or avx512; else the fastest that the processor has.
 */
const Ort::CustomOpDomain& operatorDomain();

}  // namespace lantang
