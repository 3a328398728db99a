#include "buffer.h"

namespace lantang {

Ort::Value Buffer::tensor(const Shape& shape, ONNXTensorElementDataType type) {
  const size_t bytes = bytesOf(shape, type);
  if (bytes > bytes_) reserve(bytes);
  const OrtMemoryInfo* memory = nullptr;
  Ort::ThrowOnError(Ort::GetApi().AllocatorGetInfo(allocator_, &memory));
  return Ort::Value::CreateTensor(memory, data_, bytes, shape.data(), shape.size(), type);
}

void Buffer::reserve(size_t bytes) {
  release();
  Ort::ThrowOnError(Ort::GetApi().AllocatorAlloc(allocator_, bytes, &data_));
  bytes_ = bytes;
}

void Buffer::release() {
  if (data_ == nullptr) return;
  Ort::GetApi().ReleaseStatus(Ort::GetApi().AllocatorFree(allocator_, data_));
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace lantang
