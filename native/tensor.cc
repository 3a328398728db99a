#include "tensor.h"

#include <algorithm>
#include <cstring>

#include "errors.h"

namespace lantang {
namespace {

int64_t sizeOfElement(ONNXTensorElementDataType type) {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE: return 8;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32: return 4;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16: return 2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL: return 1;
    default: break;
  }
  throw Failure(Code::kInferenceFailed, "A tensor between two stages has an element type that the engine cannot copy.");
}

}  // namespace

Shape shapeOf(const Ort::Value& value) { return value.GetTensorTypeAndShapeInfo().GetShape(); }

const float* floatsOf(const Ort::Value& value) {
  if (value.GetTensorTypeAndShapeInfo().GetElementType() != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) {
    throw Failure(Code::kInferenceFailed, "The graph gave a tensor that is not float32.");
  }
  return value.GetTensorData<float>();
}

size_t bytesOf(const Shape& shape, ONNXTensorElementDataType type) {
  int64_t bytes = sizeOfElement(type);
  for (const int64_t size : shape) bytes *= size;
  return static_cast<size_t>(bytes);
}

Ort::Value hostTensor(const Shape& shape, ONNXTensorElementDataType type) {
  Ort::AllocatorWithDefaultOptions allocator;
  return Ort::Value::CreateTensor(allocator, shape.data(), shape.size(), type);
}

void cutParts(const Ort::Value& latent, const std::vector<Part>& parts, int64_t length, Ort::Value& target) {
  const Shape shape = shapeOf(latent);
  const int64_t channels = shape.at(1), frames = shape.at(2);
  const float* source = floatsOf(latent);
  float* to = target.GetTensorMutableData<float>();
  for (const Part& part : parts) {
    for (int64_t channel = 0; channel < channels; ++channel, to += length) {
      std::copy_n(source + (part.row * channels + channel) * frames + part.start, length, to);
    }
  }
}

void gatherRows(const Ort::Value& value, const std::vector<int64_t>& rows, Ort::Value& target) {
  const auto info = value.GetTensorTypeAndShapeInfo();
  const Shape shape = info.GetShape();
  const int64_t count = shape.empty() ? 0 : shape[0];
  const size_t rowBytes = count == 0 ? 0 : bytesOf(shape, info.GetElementType()) / count;
  const char* source = static_cast<const char*>(value.GetTensorRawData());
  char* to = static_cast<char*>(target.GetTensorMutableRawData());
  for (const int64_t row : rows) {
    std::memcpy(to, source + std::min(row, count - 1) * rowBytes, rowBytes);
    to += rowBytes;
  }
}

}  // namespace lantang
