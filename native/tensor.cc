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

Ort::Value cutParts(const Ort::Value& latent, const std::vector<Part>& parts, int64_t length) {
  const Shape shape = shapeOf(latent);
  const int64_t channels = shape.at(1), frames = shape.at(2);
  const float* source = floatsOf(latent);
  Ort::Value cut = hostTensor<float>({static_cast<int64_t>(parts.size()), channels, length});
  float* target = cut.GetTensorMutableData<float>();
  for (const Part& part : parts) {
    for (int64_t channel = 0; channel < channels; ++channel, target += length) {
      std::copy_n(source + (part.row * channels + channel) * frames + part.start, length, target);
    }
  }
  return cut;
}

Ort::Value gatherRows(const Ort::Value& value, const std::vector<int64_t>& rows) {
  const auto info = value.GetTensorTypeAndShapeInfo();
  Shape shape = info.GetShape();
  const int64_t count = shape.empty() ? 0 : shape[0];
  const int64_t elements = static_cast<int64_t>(info.GetElementCount());
  const int64_t rowBytes = count == 0 ? 0 : elements / count * sizeOfElement(info.GetElementType());
  shape.at(0) = static_cast<int64_t>(rows.size());
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value gathered = Ort::Value::CreateTensor(allocator, shape.data(), shape.size(), info.GetElementType());
  const char* source = static_cast<const char*>(value.GetTensorRawData());
  char* target = static_cast<char*>(gathered.GetTensorMutableRawData());
  for (const int64_t row : rows) {
    std::memcpy(target, source + std::min(row, count - 1) * rowBytes, rowBytes);
    target += rowBytes;
  }
  return gathered;
}

}  // namespace lantang
