#pragma once

#include <onnxruntime_cxx_api.h>

#include <cstdint>
#include <vector>

namespace lantang {

using Shape = std::vector<int64_t>;

/** A new tensor in host memory that owns its values; they are not initialised. */
template <typename T>
Ort::Value hostTensor(const Shape& shape) {
  Ort::AllocatorWithDefaultOptions allocator;
  return Ort::Value::CreateTensor<T>(allocator, shape.data(), shape.size());
}

Shape shapeOf(const Ort::Value& value);

/** What the elements of such a tensor take. Throws inference_failed where they are no numbers. */
size_t bytesOf(const Shape& shape, ONNXTensorElementDataType type);

/** The values of a float tensor in host memory. Throws inference_failed when it is of another type. */
const float* floatsOf(const Ort::Value& value);

/**
 * Copies parts of a float tensor [rows, channels, frames] in host memory: one [channels, length] block per part, stacked
 * at the beginning of `target`, [parts or more, channels, length]. A part must lie within the frames.
 */
struct Part {
  int64_t row;
  int64_t start;
};
void cutParts(const Ort::Value& latent, const std::vector<Part>& parts, int64_t length, Ort::Value& target);

/**
 * Copies rows of a tensor [rows, …] of any numeric type, in the order asked for, repeated where asked for twice, to the
 * beginning of `target`, which has the same type and the same size per row.
 */
void gatherRows(const Ort::Value& value, const std::vector<int64_t>& rows, Ort::Value& target);

/** A new tensor in host memory; its values are not initialised. */
Ort::Value hostTensor(const Shape& shape, ONNXTensorElementDataType type);

}  // namespace lantang
